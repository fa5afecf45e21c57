import { EVENT_ID, type Event, parseEvents } from 'js-yaml';
import { maxDepth } from '../json/exact-json.ts';
import { notePlace, toWantedPlaces, type WantedPlaces } from '../json/locate-json.ts';

/**
 * Where the values of a valid YAML text begin that pointers lead to; one that leads to nothing has
 * the place of what would hold it.
 */
export function locateInYaml(text: string, pointers: Iterable<string>): Map<string, number> {
  const offsets = new Map<string, number>();
  const events = parseEvents(text, { maxDepth });
  let next = events.findIndex(({ type }) => type !== EVENT_ID.DOCUMENT);
  const take = () => events[next++] as Event;
  const isPast = () => next >= events.length || events[next]?.type === EVENT_ID.POP;
  /** Visits the value of the next event, and all that belongs to it; an empty one is `near`. */
  const visit = (wanted: WantedPlaces, near: number): void => {
    const event = take();
    const start = startOf(event);
    const at = start < 0 ? near : start;
    notePlace(wanted, at, offsets);
    if (event.type === EVENT_ID.SEQUENCE) {
      for (let index = 0; !isPast(); index++)
        visit(wanted.inner.get(String(index)) ?? unwanted, at);
      next += 1;
    } else if (event.type === EVENT_ID.MAPPING) {
      while (!isPast()) {
        const key = events[next] as Event;
        visit(unwanted, at);
        visit(wanted.inner.get(textOf(text, key)) ?? unwanted, Math.max(startOf(key), at));
      }
      next += 1;
    }
  };
  if (next !== -1) visit(toWantedPlaces(pointers), 0);
  return offsets;
}

const unwanted: WantedPlaces = { inner: new Map() };

function startOf(event: Event): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart;
  return 'start' in event ? event.start : 0;
}

/** The name that a key stands for; one with escapes as it is written. */
function textOf(text: string, key: Event): string {
  return key.type === EVENT_ID.SCALAR ? text.slice(key.valueStart, key.valueEnd) : '';
}
