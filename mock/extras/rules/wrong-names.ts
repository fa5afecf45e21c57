import { didYouMean } from '../../../common/cli/nearest-name.ts';
import { needsCall } from '../../../common/expression.ts';
import { toVisible } from '../../../common/look/visible.ts';
import type { Api, Resource } from '../../../openapi/index.ts';
import { findSubject } from '../../../openapi/model/api.ts';
import { toKey } from '../../../openapi/model/operation.ts';
import { errorTable } from '../../answers/errors.ts';
import { itemsInPath } from './items-at.ts';

/** Returns a sentence on each name in rules that the mock does not know, with the nearest known one. */
export function findWrongNames(document: Api): string[] {
  const { errors, counts = [], keys, members, aliases } = document.hint.rules ?? {};
  const paths = [...document.resources, ...document.singletons].map(({ path }) => path);
  const creates = document.operations.flatMap((one) => (one.method === 'POST' ? one.path : []));
  const found = [
    ...toSentences('The document', Object.keys(errors ?? {}), codes),
    ...toSentences('The document', [...counts.flatMap((one) => [one.in, one.of])], paths),
    ...toSentences('The document', Object.keys({ ...keys, ...members, ...aliases }), paths),
  ];
  for (const operation of document.operations) {
    const { rules = {} } = operation;
    const about = (names: readonly string[], known: readonly string[] | undefined) =>
      found.push(...toSentences(toKey(operation), names, known));
    about(Object.keys(rules.errors ?? {}), codes);
    about(Object.keys(rules.removes ?? {}), paths);
    about(Object.keys(rules.makes ?? {}), creates);
    if (!operation.rules) continue;
    const { item, parent } = itemsInPath(document, operation);
    const written = findSubject(document, operation);
    const all = [rules.values, rules.sets, rules.keeps || undefined].map((one) => [...(one ?? [])]);
    const names = all.flat().flatMap(([name, one]) => [name, ...one.names]);
    const asked = (rules.refuses ?? []).flatMap((one) => [
      ...one.when.keys(),
      ...one.unless.keys(),
    ]);
    const isList = operation.method === 'GET';
    about(isList ? [] : names.filter((one) => !needsCall(one)), membersOf(written));
    about([...(rules.parent?.keys() ?? [])], membersOf(parent?.resource));
    for (const [space, resource] of Object.entries({
      item: item?.resource,
      before: written,
      parent: parent?.resource,
    })) {
      const own = [...names, ...asked].filter((one) => one.startsWith(`${space}.`));
      about(
        own,
        membersOf(resource)?.map((one) => `${space}.${one}`),
      );
    }
  }
  return found;
}

const codes = Object.keys(errorTable);

/** The members of items; undefined where they may have any. */
function membersOf(resource: Resource | undefined): string[] | undefined {
  const isOpen = !resource || resource.isOpen || resource.item.others;
  return isOpen ? undefined : Object.keys(resource.item.properties);
}

function toSentences(
  where: string,
  names: readonly string[],
  known: readonly string[] | undefined,
): string[] {
  const isKnown = (name: string) =>
    known?.some((one) => name === one || name.startsWith(`${one}.`)) ?? true;
  return [...new Set(names)]
    .filter((name) => !isKnown(name))
    .map((name) => {
      const advice = didYouMean(name, known ?? []);
      return `${where} has rules about ${toVisible(name)}, which is not known.${advice}`;
    });
}
