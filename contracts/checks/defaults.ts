import { count } from '../../common/cli/count.ts';
import { toJson } from '../../common/json.ts';
import { collectionsOf, findResource } from '../../openapi/model/api.ts';
import { memberDefaults, parameterDefaults } from '../cases/defaults.ts';
import {
  aboutMember,
  type Check,
  type Clause,
  called,
  type Judge,
  shown,
  shownMember,
} from '../clauses/check.ts';
import { anyOperation } from '../clauses/needs.ts';
import { mayBeComputed, saysComputed } from '../document/computed.ts';
import { ownCreates } from '../transcript/created-items.ts';
import { countOf, idOf, isList, isSameText, rowsOf } from '../transcript/items.ts';
import { isPlain, recordsOf } from '../transcript/ledger.ts';
import { type AnsweredFor, answeredFor, type Transcript } from '../transcript/transcript.ts';

const described: Clause = {
  basis: 'described',
  source: anyOperation,
  text: 'What a request leaves out has the default that the document gives it.',
};

/** A parameter or a member that a request leaves out has its default. */
export const defaults: Check = {
  id: 'defaults',
  clause: described,
  isStatedByNeed: true,
  unheld: 'no list could be compared with itself, and no created item showed such a member',
  cases: ['default', 'create'],
  needsCases: ['default', 'list', 'read', 'create', 'items'],
  needs: 'a default',
  follows: ['page-size', 'filter'],
  judge(transcript, judge) {
    judgeParameters(transcript, judge);
    judgeMembers(transcript, judge);
  },
};

/**
 * Judges lists with a parameter at its default by the same lists without it, right before and after.
 * A list that shows other items twice, while the plain one does not change, has another default.
 */
function judgeParameters(transcript: Transcript, judge: Judge): void {
  const { document } = transcript;
  const lists = answeredFor(transcript, 'default').filter(
    (one) => one.response.status < 300 && isList(one),
  );
  const textOf = (list: AnsweredFor<'default'>) => {
    const resource = findResource(document, list.case.operation);
    const ids = rowsOf(list).map((row) => idOf(row, resource?.idProperty ?? 'id') ?? toJson(row));
    // An answer from a cache may lack what the run has made meanwhile.
    const records = resource ? recordsOf(transcript, resource) : [];
    const made = new Set(records.flatMap(({ id, created }) => (created.length > 0 ? id : [])));
    return ids
      .filter((id) => !made.has(id))
      .toSorted()
      .join(' ');
  };
  /** Finds the plain list that was sent around a list, where it showed the same before and after. */
  const plainOf = (list: AnsweredFor<'default'>) => {
    const plain = lists.filter(
      (one) =>
        one.case.purpose.parameter === undefined &&
        one.case.operation === list.case.operation &&
        one.request.keyName === list.request.keyName &&
        (one.case.repeatOf === undefined) === (list.case.repeatOf === undefined),
    );
    const before = plain.findLast(({ number }) => number < list.number);
    const after = plain.find(({ number }) => number > list.number);
    return before && after && textOf(before) === textOf(after) ? before : undefined;
  };
  for (const list of lists) {
    const { parameter } = list.case.purpose;
    const again = lists.find((one) => one.case.repeatOf === list.case.id);
    const plain = plainOf(list);
    const plainAgain = again && plainOf(again);
    const { operation } = list.case;
    if (parameter === undefined || !operation || !again || !plain || !plainAgain) continue;
    const isSame = textOf(list) === textOf(plain) || textOf(again) === textOf(plainAgain);
    judge.hold(isSame, plain, () => ({
      message: `${called(plain)} shows other items without "${parameter}" than with its default`,
      expected: `the ${count(countOf(list), 'item')} of ${list.request.path}, as ${shown(parameterDefaults(document, operation)[parameter])} is the default`,
      actual: count(countOf(plain), 'item'),
      about: [`pages of ${operation.resource}`],
    }));
  }
}

/** Judges the members that creates left out, as their items showed them first. */
function judgeMembers(transcript: Transcript, judge: Judge): void {
  const { document } = transcript;
  for (const resource of collectionsOf(document)) {
    const records = recordsOf(transcript, resource);
    const created = ownCreates(transcript, resource);
    for (const [name, value] of Object.entries(memberDefaults(document, resource))) {
      if (saysComputed(document, resource.item.properties[name])) continue;
      const seen = created.flatMap(({ id, sent, exchange }) => {
        const record = name in sent ? undefined : records.find((one) => one.id === id);
        const first = record?.sightings.find(
          (one) => isPlain(one) && (one.item[name] ?? null) !== null,
        );
        return first ? [{ id, exchange, item: first.item }] : [];
      });
      const isDefault = ({ item }: (typeof seen)[number]) =>
        isSameText(toPlain(item[name]), toPlain(value));
      // A value that only some items have may follow from others that they have.
      const judged = seen.some(isDefault) ? seen.filter(isDefault) : seen;
      for (const one of judged)
        judge.hold(isDefault(one), one.exchange, () => ({
          message: `${called(one.exchange)} leaves out "${name}", and the item does not have its default`,
          expected: `"${name}": ${shown(value)}`,
          actual: shownMember(one.item, name),
          ...aboutMember(one.id, name),
          ...(mayBeComputed(name) && { clause: described }),
        }));
    }
  }
}

/** A deployment may write a text in another case. */
function toPlain(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toLowerCase() : value;
}
