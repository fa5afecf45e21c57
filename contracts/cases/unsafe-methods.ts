import type { Operation } from '../../openapi/index.ts';

const safeMethods = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'];

/** Whether an operation may change something (RFC 9110 §9.2.1). */
export function isUnsafe({ method }: Pick<Operation, 'method'>): boolean {
  return !safeMethods.includes(method);
}
