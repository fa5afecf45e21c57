import { UsageError } from '../../common/cli/usage-error.ts';
import type { Operation } from '../../openapi/index.ts';
import type { Step } from '../call/steps.ts';
import { findNamedOperations } from '../documented/named-operations.ts';
import type { ExtraParts, RoutesOptions } from '../extra.ts';
import { createForward } from './forward/forward.ts';

/**
 * Forwards operations to a real service. Throws {@link UsageError} if the operations or the URL are
 * missing.
 */
export function toForwardParts({ served, settings }: RoutesOptions): ExtraParts {
  const { forward: target, forwardOperations: names, forwardKey: key } = settings;
  if (target === undefined)
    throw new UsageError(
      `${names.length > 0 ? '--forward-operations' : '--forward-key'} needs --forward URL, the base URL of the real service.`,
    );
  if (key !== undefined && settings.auth === 'any')
    throw new UsageError(
      '--auth any and --forward-key exclude each other: anybody could use the key of the real service.',
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
  // Who has the service's key themselves is checked there.
  const checkCaller = key === undefined ? () => ({}) : withoutLimits;
  return {
    steps: [
      {
        phase: 'around credentials',
        order: 10,
        of: (operation) => (isForwarded(operation) ? checkCaller : undefined),
      },
      {
        phase: 'before input',
        order: 20,
        of: (operation, calls) =>
          isForwarded(operation) ? createForward(operation, { ...calls, target, key }) : undefined,
      },
    ],
  };
}

/** Refuses whom the twin would refuse, so that nobody else uses the key, and counts nothing. */
const withoutLimits: Step<'around credentials'> = (call, authenticate) => {
  const { key, ...refusal } = authenticate(call);
  return key ? {} : refusal;
};
