import type { Operation } from '../../openapi/index.ts';
import { isOnCollection } from '../../openapi/model/kinds.ts';
import { toJsonAnswer } from '../answers/answer.ts';
import type { Behaviour } from '../behaviours/behaviour.ts';
import type { ExtraParts, RoutesOptions } from '../extra.ts';
import { once } from '../json/once-per.ts';
import { createDiscovery, describeGroups } from './cluster/discovery.ts';
import {
  createChangeObject,
  createCreateObject,
  createDeleteObject,
  createDeleteObjects,
  createListObjects,
  createReadObject,
  type ObjectOperation,
  type ObjectOptions,
} from './cluster/object-behaviours.ts';
import { createObjectTypes } from './cluster/object-types.ts';
import { withStatusErrors } from './cluster/status-answers.ts';
import { createSubresource } from './cluster/subresources.ts';
import { createWatchStep } from './cluster/watch.ts';

/**
 * What a document with kinds of objects changes: objects say what they are and which version they
 * have, lists have selectors and can be watched, and clients find out which groups and resources
 * there are. All of it is read from the extensions of the document.
 */
export function toClusterParts({ served, settings, tools }: RoutesOptions): ExtraParts {
  const { document } = served;
  const types = createObjectTypes(document);
  const options = { document, types, cascades: settings.onDeleteParent === 'cascade' };
  const discover = createDiscovery(document, types);
  return {
    behaviourInstead: (operation, resource, make) => {
      const type = types.typeAt(operation.path);
      if (type && resource) return byKind({ type, operation, make }, options);
      if (type && types.actionOf(operation) === 'deletecollection')
        return createDeleteObjects({ type, operation }, options);
      return partOf(operation, options) ?? discover(operation);
    },
    stepsInsteadOf: (operation) => ({
      'before behaviour': createWatchStep(operation, { types, tools }),
    }),
    wrapSend: withStatusErrors,
    mountBehind(app) {
      const described = once(() => describeGroups(document, types));
      app.get(/^\/openapi\/v3/, (request, response, next) => {
        const part = described().get(request.path);
        if (part) tools.send(response, toJsonAnswer(part()), { step: 'routing' });
        else next();
      });
    },
  };
}

function byKind(one: ObjectOperation, options: ObjectOptions): Behaviour | undefined {
  const { kind } = one.operation;
  if (kind === 'list') return createListObjects(one, options);
  if (kind === 'create') return createCreateObject(one);
  if (kind === 'read') return createReadObject(one);
  if (kind === 'delete') return createDeleteObject(one, options);
  return isOnCollection(kind) ? undefined : createChangeObject(one, options);
}

function partOf(operation: Operation, options: ObjectOptions): Behaviour | undefined {
  const outer = options.types.typeAt(operation.path.replace(/\/[^/{}]+$/, ''));
  return outer && createSubresource(outer, operation, options);
}
