import { UsageError } from '../../common/cli/usage-error.ts';
import type { Operation } from '../../openapi/index.ts';
import { findNamedOperations } from '../documented/named-operations.ts';
import type { ExtraParts, RoutesOptions } from '../extra.ts';
import type { Authenticate } from '../http/authenticate.ts';
import { createForward } from './forward/forward.ts';

/**
 * Has a real service answer some operations. Throws {@link UsageError} where it is not said which,
 * or where.
 */
export function toForwardParts({ served, settings }: RoutesOptions): ExtraParts {
  const { forward: target, forwardOperations: names, forwardKey: key } = settings;
  if (target === undefined)
    throw new UsageError(
      `${names.length > 0 ? '--forward-operations' : '--forward-key'} needs --forward URL, the base URL of the real service.`,
    );
  const { document } = served;
  const forwarded = new Set(
    names.flatMap((name) => findNamedOperations(document, name, '--forward-operations')),
  );
  if (forwarded.size === 0)
    throw new UsageError(
      "--forward needs --forward-operations, such as listPets,'GET /store/*'; '* *' names all.",
    );
  const isForwarded = (operation: Operation) => forwarded.has(operation);
  return {
    changeCalls: (calls) => ({
      ...calls,
      security: {
        ...calls.security,
        of: (operation) => {
          const authenticate = calls.security.of(operation);
          if (!isForwarded(operation)) return authenticate;
          // Who has the service's key themselves is checked there.
          return key === undefined ? undefined : withoutLimits(authenticate);
        },
      },
    }),
    stepsInsteadOf: (operation, calls) =>
      isForwarded(operation)
        ? { 'before input': createForward(operation, { ...calls, target, key }) }
        : {},
  };
}

/** Refuses whom the twin would refuse, so that nobody else uses the key, and counts nothing. */
function withoutLimits(authenticate: Authenticate | undefined): Authenticate | undefined {
  return (
    authenticate &&
    ((...call) => {
      const { key, ...refusal } = authenticate(...call);
      return key ? {} : refusal;
    })
  );
}
