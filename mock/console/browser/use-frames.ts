import { useEffect, useRef, useState } from 'preact/hooks';

/** Gives a function that draws the component again, at most once a frame. */
export function useFrames(): () => void {
  const [, draw] = useState(0);
  const frame = useRef<number>(undefined);
  useEffect(
    () => () => {
      if (frame.current !== undefined) cancelAnimationFrame(frame.current);
    },
    [],
  );
  const ask = useRef(() => {
    frame.current ??= requestAnimationFrame(() => {
      frame.current = undefined;
      draw((count) => count + 1);
    });
  });
  return ask.current;
}
