import { membersOf, toJson } from '../json.ts';

/** Whether two values are the same in a form, where each is a text. */
export function isSameText(left: unknown, right: unknown): boolean {
  const members = membersOf(right);
  if (!members) return toText(left) === toText(right);
  const others = membersOf(left);
  return (
    others !== undefined &&
    Object.entries(members).every(([name, value]) => isSameText(others[name], value))
  );
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : toJson(value);
}
