import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';

/** What panels of a sandbox left behind, by name, until the page is closed. */
export const MemoryContext = createContext<Map<string, unknown>>(new Map());

/** A state that is there again when whoever shows the panel comes back to it. */
export function useRemembered<T>(name: string, initial: T): [T, (value: T) => void] {
  const memory = useContext(MemoryContext);
  const [value, setValue] = useState<T>(() =>
    memory.has(name) ? (memory.get(name) as T) : initial,
  );
  return [
    value,
    (next) => {
      memory.set(name, next);
      setValue(next);
    },
  ];
}
