import { once } from '../../../common/once-per.ts';
import { lastWordOf } from '../../../common/path-template.ts';
import type { Api, Operation } from '../../../openapi/index.ts';
import { toJsonAnswer } from '../../answers/answer.ts';
import type { Behaviour } from '../../behaviours/behaviour.ts';
import { type ObjectTypes, toApiVersion } from './object-types.ts';

/** The verbs that clients use for the actions of a document. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  ...{ get: ['get'], list: ['list', 'watch'], post: ['create'], put: ['update'] },
  ...{ patch: ['patch'], delete: ['delete'], deletecollection: ['deletecollection'] },
};

/** A version of a group, at the path that lists its resources. */
type GroupVersion = { path: string; group: string; version: string };

/**
 * Creates the discovery response of an operation: the document's groups, their versions and
 * resources. Undefined if the operation does not return these.
 */
export function createDiscovery(
  { operations }: Api,
  types: ObjectTypes,
): (operation: Operation) => Behaviour | undefined {
  const groupVersions = once(() =>
    operations
      .filter((one) => types.shownBy(one)?.kind === 'APIResourceList')
      .map(({ path }): GroupVersion => {
        const [version = '', group = ''] = path.split('/').filter(Boolean).slice(1).toReversed();
        return { path, group, version };
      }),
  );
  const below = (path: string) => groupVersions().filter((one) => one.path.startsWith(path));
  const tellers: Readonly<Record<string, (path: string) => object>> = {
    APIVersions: (path) => ({
      versions: below(path).map(({ version }) => version),
      serverAddressByClientCIDRs: [],
    }),
    APIGroupList: (path) => ({
      groups: [...Map.groupBy(below(path), ({ group }) => group).values()].map(toGroup),
    }),
    APIGroup: (path) => toGroup(below(path)),
    APIResourceList: (path) => ({
      groupVersion: below(path).map(({ group, version }) => toApiVersion(group, version))[0],
      resources: resourcesBelow(path, operations, types),
    }),
  };
  return (operation) => {
    const { kind = '', apiVersion } = types.shownBy(operation) ?? {};
    const tell = Object.hasOwn(tellers, kind) ? tellers[kind] : undefined;
    if (!tell || operation.method !== 'GET') return undefined;
    const answer = once(() => toJsonAnswer({ kind, apiVersion, ...tell(operation.path) }));
    return async () => answer();
  };
}

/**
 * The document in parts, one for each version of a group, and an index of them: clients read there
 * what they may send. By their paths.
 */
export function describeGroups({ asOpenApi, operations }: Api, types: ObjectTypes) {
  const { info, components, paths } = asOpenApi();
  const bases = operations.filter((one) => types.shownBy(one)?.kind === 'APIResourceList');
  const parts = bases.map(({ path }) => {
    const own = Object.entries(paths).filter(([one]) => one.startsWith(path));
    const part = { openapi: '3.0.0', info, paths: Object.fromEntries(own), components };
    return [path.replace(/^\/|\/$/g, ''), () => part] as const;
  });
  const index = parts.map(
    ([name]) => [name, { serverRelativeURL: `/openapi/v3/${name}` }] as const,
  );
  return new Map<string, () => object>([
    ['/openapi/v3', () => ({ paths: Object.fromEntries(index) })],
    ...parts.map(([name, part]) => [`/openapi/v3/${name}`, part] as const),
  ]);
}

function toGroup(all: readonly GroupVersion[]) {
  const sorted = all.toSorted((one, other) => rankOf(other.version) - rankOf(one.version));
  const versions = sorted.map(({ group, version }) => ({
    groupVersion: toApiVersion(group, version),
    version,
  }));
  return { name: all[0]?.group ?? '', versions, preferredVersion: versions[0] };
}

/** Stable versions are preferred, and of these the latest. */
function rankOf(version: string): number {
  const [, major = 0, stage] = /^v(\d+)([a-z]*)/.exec(version) ?? [];
  return Number(major) + (stage ? (stage === 'beta' ? 100 : 0) : 200);
}

function resourcesBelow(path: string, operations: readonly Operation[], types: ObjectTypes) {
  const resources = new Map<string, { verbs: Set<string>; [property: string]: unknown }>();
  for (const operation of operations) {
    const own = types.typeAt(operation.path);
    const type = own ?? types.typeAt(operation.path.replace(/\/[^/{}]+$/, ''));
    const shown = types.kindOf(operation);
    const added = verbs[types.actionOf(operation) ?? ''];
    if (!operation.path.startsWith(path) || !type || !shown || !added) continue;
    const plural = lastWordOf(type.resource.path);
    const name = own ? plural : `${plural}/${lastWordOf(operation.path)}`;
    const [version = '', group = ''] = shown.apiVersion.split('/').toReversed();
    const resource = resources.get(name) ?? {
      name,
      singularName: own ? type.kind.toLowerCase() : '',
      namespaced: type.resource.scope !== undefined,
      kind: shown.kind,
      ...(shown.apiVersion !== type.apiVersion && { group, version }),
      verbs: new Set<string>(),
    };
    for (const verb of added) resource.verbs.add(verb);
    resources.set(name, resource);
  }
  return [...resources.values()].map((one) => ({ ...one, verbs: [...one.verbs] }));
}
