import { useRef } from 'preact/hooks';

/** The last value that was there, so that what is shown and typed outlives a failed reading. */
export function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}
