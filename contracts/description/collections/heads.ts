import type { Operation } from '../operation.ts';

/**
 * Marks the HEAD operations with the GET at their path: HEAD is the same without content (RFC 9110
 * §9.3.2). They take the parameters of the GET too.
 */
export function markHeads(operations: readonly Operation[]): void {
  const gets = new Map(
    operations.filter(({ method }) => method === 'GET').map((one) => [one.path, one]),
  );
  for (const operation of operations) {
    const get = gets.get(operation.path);
    if (operation.method !== 'HEAD' || operation.kind || operation.hint || !get) continue;
    operation.answersAs = get;
    const isOwn = (one: Operation['parameters'][number]) =>
      operation.parameters.some((own) => own.name === one.name && own.in === one.in);
    const others = get.parameters.filter((one) => one.in === 'query' && !one.required);
    operation.parameters = [...operation.parameters, ...others.filter((one) => !isOwn(one))];
  }
}
