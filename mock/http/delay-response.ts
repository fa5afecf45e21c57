import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Waits, and returns whether the client is still connected; the wait ends when it disconnects. An
 * unread body is discarded meanwhile, so that it does not time out.
 */
export async function delayResponse(
  response: ServerResponse,
  milliseconds: number,
): Promise<boolean> {
  const { socket } = response.req;
  if (socket.destroyed) return false;
  dropBody(response);
  const gone = new AbortController();
  const leave = () => gone.abort();
  socket.once('close', leave);
  try {
    await wait(milliseconds, undefined, { signal: gone.signal });
    return true;
  } catch {
    return false;
  } finally {
    socket.off('close', leave);
  }
}

function dropBody(response: ServerResponse): void {
  const { req: request } = response;
  if (request.complete) return;
  if (request.headers.expect !== undefined) response.writeContinue();
  request.resume();
}
