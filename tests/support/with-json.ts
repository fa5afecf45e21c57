/** A request with a JSON body. */
export function withJson(method: string, body: unknown, headers: Record<string, string> = {}) {
  return {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  };
}
