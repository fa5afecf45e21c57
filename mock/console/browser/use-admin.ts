import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { ClockView } from '../../admin/clock-handlers.ts';
import type { Admin } from '../../pages/browser/admin.ts';

/** The admin that panels and buttons call. */
export const AdminContext = createContext<Admin | undefined>(undefined);

/** The admin itself, for calls that are no button's. */
export function useAdminClient(): Admin {
  const admin = useContext(AdminContext);
  if (!admin) throw new Error('There is no admin around this component');
  return admin;
}

/** What was read last, or why it could not be; both are undefined before the first answer. */
export type Reading<T> = { value?: T; problem?: string; reload: () => void };

/**
 * Reads a path of the admin, again whenever something is changed through the page, and every so
 * many milliseconds while the page is seen. A new path is read at once.
 */
export function useAdmin<T>(path: string, { every }: { every?: number } = {}): Reading<T> {
  const admin = useAdminClient();
  const [read, setRead] = useState<{ path: string; value?: T; problem?: string }>({ path });
  const reload = useRef<() => void>(() => undefined);

  useEffect(() => {
    let isOver = false;
    let isReading = false;
    let isAskedAgain = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shown: string | undefined;

    const start = async (): Promise<void> => {
      clearTimeout(timer);
      if (isReading) {
        isAskedAgain = true;
        return;
      }
      isReading = true;
      const result = await admin.call({ method: 'GET', path });
      isReading = false;
      if (isOver) return;
      const next = result.ok ? result.text : `problem: ${result.message}`;
      // What is the same need not be drawn again.
      if (next !== shown)
        setRead(result.ok ? { path, value: result.value as T } : { path, problem: result.message });
      shown = next;
      if (isAskedAgain) {
        isAskedAgain = false;
        void start();
      } else if (every !== undefined && !document.hidden) {
        timer = setTimeout(() => void start(), every);
      }
    };
    const onVisible = () => {
      if (document.hidden) clearTimeout(timer);
      else void start();
    };
    reload.current = () => void start();
    const leave = admin.onChange(() => void start());
    document.addEventListener('visibilitychange', onVisible);
    void start();
    return () => {
      isOver = true;
      clearTimeout(timer);
      leave();
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [admin, path, every]);

  const { path: _, ...current } = read.path === path ? read : { path };
  return { ...current, reload: useCallback(() => reload.current(), []) };
}

/** The last value that was there, so that what is shown and typed outlives a failed reading. */
export function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}

/** What the clock of the sandbox shows, in Unix milliseconds, or why it could not be read. */
export type TwinClock = { now?: number; frozen: boolean; problem?: string };

/** Reads the clock of the sandbox, and goes on with it from second to second. */
export function useTwinClock(): TwinClock {
  const { value: current, problem } = useAdmin<ClockView>('clock', { every: 1000 });
  const value = useLast(current);
  const read = useRef<{ value: ClockView; at: number }>(undefined);
  if (value && read.current?.value !== value) read.current = { value, at: performance.now() };
  const now =
    value && read.current
      ? value.currentEpochMillis + (value.frozen ? 0 : performance.now() - read.current.at)
      : undefined;
  const [, draw] = useState(0);

  const isRunning = value?.frozen === false;
  const nextSecond = now === undefined ? undefined : Math.floor(now / 1000) + 1;
  useEffect(() => {
    if (!isRunning || now === undefined || nextSecond === undefined) return;
    const timer = setTimeout(() => draw(nextSecond), nextSecond * 1000 - now);
    return () => clearTimeout(timer);
  });
  return {
    frozen: value?.frozen === true,
    ...(now !== undefined && { now }),
    ...(problem !== undefined && { problem }),
  };
}
