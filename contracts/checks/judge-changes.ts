import type { Change } from '../cases/case.ts';
import { itemIn } from '../transcript/items.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { madeChanges } from './changes.ts';
import { aboutMember, called, isSame, type Judge, shown } from './check.ts';

/**
 * Holds each change of a kind against what is seen of the item afterwards: what was sent replaces
 * what was there, in whatever form, and what was not sent stays as it was.
 */
export function judgeChanges(transcript: Transcript, judge: Judge, how: Change): void {
  for (const { change, id, looks } of madeChanges(transcript, how))
    for (const look of looks) {
      const item = itemIn(look);
      if (!item || look.response.status >= 300) continue;
      const { changed, same } = look.case.purpose.expected;
      for (const [name, { from, to }] of Object.entries(changed))
        judge.hold(!isSame(item[name], from), look, () => ({
          message: `${called(change)} answers ${change.response.status}, but "${name}" is as it was`,
          expected: `"${name}": ${shown(to)}, in ${called(look)}`,
          actual: `"${name}": ${shown(item[name])}`,
          ...aboutMember(id, name),
        }));
      for (const [name, value] of Object.entries(same))
        judge.hold(isSame(item[name], value), look, () => ({
          message: `${called(change)} changes "${name}", which the patch does not name`,
          expected: `"${name}": ${shown(value)}, as before`,
          actual: `"${name}": ${shown(item[name])}`,
          ...aboutMember(id, name),
        }));
    }
}
