import type { Change } from '../cases/case.ts';
import { findResource, type Resource } from '../description/document.ts';
import { type Item, itemIn } from '../transcript/items.ts';
import { sentFields } from '../transcript/sent-fields.ts';
import { answeredFor, type Transcript } from '../transcript/transcript.ts';
import { madeChanges } from './changes.ts';
import { aboutMember, called, isSame, type Judge, shown } from './check.ts';

/**
 * Holds each change of a kind against what is seen of the item afterwards: what was sent replaces
 * what was there, in whatever form, and what was not sent stays as it was, or, where the whole item
 * is replaced, does not.
 */
export function judgeChanges(transcript: Transcript, judge: Judge, how: Change): void {
  for (const { change, id, looks } of madeChanges(transcript, how))
    for (const look of looks) {
      const item = itemIn(look);
      if (!item || look.response.status >= 300) continue;
      const { changed, same, left = {} } = look.case.purpose.expected;
      for (const [name, { from, to }] of Object.entries(changed))
        judge.hold(!isSame(item[name], from), look, () => ({
          message: `${called(change)} answers ${change.response.status}, but "${name}" is as it was`,
          expected: `"${name}": ${shown(to)}, in ${called(look)}`,
          actual: `"${name}": ${shown(item[name])}`,
          ...aboutMember(id, name),
        }));
      const lost = Object.keys(same).filter((name) => !isSame(item[name], same[name]));
      if (Object.keys(same).length > 0)
        judge.hold(lost.length === 0, look, () => ({
          message: `${called(change)} changes ${quote(lost)}, which the patch does not name`,
          expected: `${members(same, lost)}, as before`,
          actual: members(item, lost),
          ...aboutMember(id, ...lost),
        }));
      const isDone = Object.entries(changed).every(([name, { from }]) => !isSame(item[name], from));
      const resource = findResource(transcript.document, look.case.operation);
      const byItself = resource ? shownUnsent(transcript, resource) : [];
      const names = Object.keys(left).filter(
        (name) => !byItself.some((one) => isSame(one[name], left[name])),
      );
      if (!isDone || names.length === 0) continue;
      // A deployment may hold on to one of them, such as an owner; one that merges holds on to all.
      const isLeftOut = names.some((name) => !isSame(item[name], left[name]));
      judge.hold(isLeftOut, look, () => ({
        message: `${called(change)} answers ${change.response.status}, but what it does not send is as it was: ${quote(names)}`,
        expected: `an item without the values that the body leaves out, in ${called(look)}`,
        actual: members(item, names),
        ...aboutMember(id, ...names),
      }));
    }
}

function quote(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

function members(item: Readonly<Item>, names: readonly string[]): string {
  return names
    .map((name) => (Object.hasOwn(item, name) ? `"${name}": ${shown(item[name])}` : `no "${name}"`))
    .join(', ');
}

/** The values that created items show although their bodies did not send them, such as defaults. */
function shownUnsent(transcript: Transcript, { operations, bodyForm }: Resource): Item[] {
  return answeredFor(transcript, 'create').flatMap((exchange) => {
    const isCreated =
      exchange.case.operation?.path === operations.create?.path && exchange.response.status < 300;
    const item = isCreated ? itemIn(exchange) : undefined;
    if (!item) return [];
    const sent = sentFields(exchange, { ...(bodyForm && { bodyForm }) });
    const unsent = Object.entries(item).filter(([name]) => !(name in sent));
    return [Object.fromEntries(unsent)];
  });
}
