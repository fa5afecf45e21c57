import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
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

/** What was read last, and why it cannot be read now; both are undefined before the first answer. */
export type Reading<T> = { value?: T; problem?: string };

/**
 * Reads a path of the admin, again whenever something is changed through the page, and every so
 * many milliseconds while the page is seen. A new path is read at once. What was read outlives a
 * failed reading, and so does what is typed beside it.
 */
export function useAdmin<T>(path: string, { every }: { every?: number } = {}): Reading<T> {
  const admin = useAdminClient();
  const [{ path: readPath, ...reading }, setRead] = useState<Reading<T> & { path: string }>({
    path,
  });

  useEffect(() => {
    let isOver = false;
    let isReading = false;
    let isAskedAgain = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let seen: string | undefined;

    const start = async (): Promise<void> => {
      clearTimeout(timer);
      isAskedAgain = isReading;
      if (isReading) return;
      isReading = true;
      const result = await admin.call({ method: 'GET', path });
      isReading = false;
      if (isOver) return;
      const next = result.ok ? result.text : `problem: ${result.message}`;
      // What is the same need not be drawn again.
      if (next !== seen)
        setRead(({ path: last, ...before }) =>
          result.ok
            ? { path, value: result.value as T }
            : { ...(last === path && before), path, problem: result.message },
        );
      seen = next;
      if (isAskedAgain) void start();
      else if (every !== undefined && !document.hidden)
        timer = setTimeout(() => void start(), every);
    };
    const onVisible = () => {
      if (document.hidden) clearTimeout(timer);
      else void start();
    };
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

  return readPath === path ? reading : {};
}

/** What the clock of the sandbox shows, in Unix milliseconds, or why it could not be read. */
export type TwinClock = { now: number | undefined; frozen: boolean; problem: string | undefined };

/** Reads the clock of the sandbox, and goes on with it from second to second. */
export function useTwinClock(): TwinClock {
  const { value, problem } = useAdmin<ClockView>('clock', { every: 1000 });
  const at = useMemo(() => performance.now(), [value]);
  const frozen = value?.frozen === true;
  const now = value && value.currentEpochMillis + (frozen ? 0 : performance.now() - at);
  const [, draw] = useState(0);
  useEffect(() => {
    if (frozen || now === undefined) return;
    const nextSecond = Math.floor(now / 1000) + 1;
    const timer = setTimeout(() => draw(nextSecond), nextSecond * 1000 - now);
    return () => clearTimeout(timer);
  });
  return { now, frozen, problem };
}
