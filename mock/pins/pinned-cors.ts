import { type Cors, createCors } from '../http/cors.ts';

/** CORS as it is pinned: for no origin, or only for requests that have one. */
export function createPinnedCors(cors: Cors, pin: 'with-origin' | 'none'): Cors {
  const off = createCors(false);
  return {
    get headers() {
      return cors.headers;
    },
    optionsHeaders(request, allow) {
      const isAnswered = pin === 'with-origin' && request.headers.origin !== undefined;
      return (isAnswered ? cors : off).optionsHeaders(request, allow);
    },
  };
}
