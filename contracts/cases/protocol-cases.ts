import type { ApiDocument, Operation } from '../description/document.ts';
import { unusedMethod } from '../description/stated.ts';
import type { Case } from './case.ts';
import { plainCase } from './plain-case.ts';

/** Rules of RFCs where the interface is silent. */
export function protocolCases(document: ApiDocument): Case[] {
  return document.resources.flatMap(({ operations: { list, read } }): Case[] => [
    ...(list ? [protocolCase(list, 'HEAD', list.path, 'head')] : []),
    ...(read && unusedMethod(document, read) !== undefined
      ? [
          protocolCase(
            read,
            unusedMethod(document, read) as string,
            read.path.replace(/\{[^{}]+\}$/, `{{unknown.${read.resource}.far}}`),
            'method',
          ),
        ]
      : []),
  ]);
}

function protocolCase(
  operation: Operation,
  method: string,
  path: string,
  rule: 'head' | 'method',
): Case {
  const { operation: _, ...plain } = plainCase(operation, method);
  return {
    ...plain,
    id: `${method} ${operation.path}`,
    parametersOf: operation,
    method,
    path,
    purpose: { kind: 'protocol', rule },
    priority: 2,
    writes: rule === 'method',
  };
}
