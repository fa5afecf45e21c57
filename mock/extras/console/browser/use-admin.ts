import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Admin } from '../../pages/browser/admin.ts';

/** The admin that panels and buttons call. */
export const AdminContext = createContext<Admin | undefined>(undefined);

/** The admin itself, for calls that are no button's. */
export function useAdminClient(): Admin {
  const admin = useContext(AdminContext);
  if (!admin) throw new Error('There is no admin around this component');
  return admin;
}

/**
 * The value read last, and the reason for a failed reading; both are undefined before the first
 * response.
 */
export type Reading<T> = { value?: T; problem?: string };

type State<T> = Reading<T> & { path: string; text?: string };

/**
 * Reads a path of the admin, again whenever something is changed through the page, and every so
 * many milliseconds. What was read outlives a failed reading, and so does what is typed beside it.
 */
export function useAdmin<T>(path: string, { every }: { every?: number } = {}): Reading<T> {
  const admin = useAdminClient();
  const [state, setState] = useState<State<T>>({ path });
  useEffect(() => {
    let latest = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async (): Promise<void> => {
      clearTimeout(timer);
      latest += 1;
      const turn = latest;
      const result = await admin.call({ method: 'GET', path });
      if (turn !== latest) return;
      setState((before) => {
        if (!result.ok)
          return { ...(before.path === path && before), path, problem: result.message };
        const isSame = before.path === path && before.text === result.text && !before.problem;
        // The same state is not drawn again.
        return isSame ? before : { path, value: result.value as T, text: result.text };
      });
      if (every !== undefined) timer = setTimeout(() => void read(), every);
    };
    const leave = admin.onChange(() => void read());
    void read();
    return () => {
      latest = 0;
      clearTimeout(timer);
      leave();
    };
  }, [admin, path, every]);
  return state.path === path ? state : {};
}

/** Values that panels of a sandbox keep, by name, until the page is closed. */
export const MemoryContext = createContext<Map<string, unknown>>(new Map());

/** A state that is there again when whoever shows the panel comes back to it. */
export function useRemembered<T>(name: string, initial: T): [T, (value: T) => void] {
  const memory = useContext(MemoryContext);
  const [value, setValue] = useState<T>((memory.get(name) as T | undefined) ?? initial);
  const remember = (next: T) => {
    memory.set(name, next);
    setValue(next);
  };
  return [value, remember];
}
