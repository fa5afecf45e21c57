import { once } from '../../common/once-per.ts';
import type { Operation } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { isOnCollection } from '../../openapi/model/kinds.ts';
import { toJsonAnswer } from '../answers/answer.ts';
import type { Behaviour } from '../behaviours/behaviour.ts';
import type { ExtraParts, RoutesOptions } from '../extra.ts';
import { createDiscovery, describeGroups } from './cluster/discovery.ts';
import {
  createChangeObject,
  createCreateObject,
  createDeleteObject,
  createDeleteObjects,
  createListObjects,
  createReadObject,
  type ObjectOptions,
  type ObjectStep,
} from './cluster/object-behaviours.ts';
import { createObjectTypes } from './cluster/object-types.ts';
import { sendStatusErrors } from './cluster/status-answers.ts';
import { createSubresource } from './cluster/subresources.ts';
import { createWatchStep } from './cluster/watch.ts';

/**
 * Returns the parts for a document with kinds of objects, all read from the document's extensions.
 * Objects state their kind and version, and lists have selectors and can be watched. Clients can
 * discover the groups and resources.
 */
export function toClusterParts({ served, settings, tools }: RoutesOptions): ExtraParts {
  const { document } = served;
  const types = createObjectTypes(document);
  const options = { document, types, cascades: settings.onDeleteParent === 'cascade' };
  const discover = createDiscovery(document, types);
  return {
    steps: [
      { phase: 'before behaviour', order: 10, of: (one) => createWatchStep(one, { types, tools }) },
      { phase: 'around kind', order: 10, of: (one) => ofKind(one, options) ?? discover(one) },
      { phase: 'before sending', order: 20, of: () => sendStatusErrors },
    ],
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

function ofKind(operation: Operation, options: ObjectOptions): ObjectStep | undefined {
  const { document, types } = options;
  const { kind, path } = operation;
  const type = types.typeAt(path);
  if (!type) return partOf(operation, options);
  const one = { type, operation };
  if (!kind || !findResource(document, operation)) {
    const isOfMany = types.actionOf(operation) === 'deletecollection';
    return isOfMany ? createDeleteObjects(one, options) : partOf(operation, options);
  }
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
