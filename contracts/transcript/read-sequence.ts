import { parseJson } from '../json.ts';

/** What divides the texts of JSON values one after another; undefined for other media types. */
function dividerOf(mediaType: string): string | undefined {
  if (/^application\/(jsonl|x-jsonlines|x-ndjson|ndjson)$/.test(mediaType)) return '\n';
  return /^application\/([^/]+\+)?json-seq$/.test(mediaType) ? '\u001e' : undefined;
}

/** Whether a media type is a sequence of items, of which each can be read once it has come. */
export function isSequence(mediaType: string): boolean {
  return mediaType === 'text/event-stream' || dividerOf(mediaType) !== undefined;
}

/**
 * The items of a body that is a sequence of them (OpenAPI 3.2, itemSchema), as far as they came, in
 * each way that a schema may mean them: of JSON its values, undefined where a text is none; of an
 * event stream its events, the same with the values of JSON that their fields are, and their data
 * alone. None where the media type is no such sequence.
 */
export function readSequence(mediaType: string, text: string): unknown[][] {
  if (mediaType === 'text/event-stream') {
    const events = readEvents(text);
    const values = events.map((event) =>
      Object.fromEntries(
        Object.entries(event).map(([name, value]) => [name, parseJson(String(value)) ?? value]),
      ),
    );
    const data = values.flatMap((event) => ('data' in event ? [event.data] : []));
    return [events, values, ...(data.length === events.length ? [data] : [])];
  }
  const divider = dividerOf(mediaType);
  if (divider === undefined) return [];
  const texts = text.split(divider).filter((one) => one.trim() !== '');
  return [texts.map(parseJson)];
}

/** The events of an event stream, each with the fields that it has (HTML, 9.2.6). */
function readEvents(text: string): Record<string, unknown>[] {
  // One that no empty line ends is not complete.
  const blocks = text
    .replace(/^\ufeff/, '')
    .split(/\r\n\r\n|\n\n|\r\r/)
    .slice(0, -1);
  const events = blocks.flatMap((block) => {
    const event: Record<string, unknown> = {};
    for (const line of block.split(/\r\n|\n|\r/)) {
      const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === 'data')
        event.data = event.data === undefined ? value : `${event.data}\n${value}`;
      else if (name === 'retry' && /^\d+$/.test(value)) event.retry = Number(value);
      else if (name === 'event' || name === 'id') event[name] = value;
    }
    return Object.keys(event).length > 0 ? [event] : [];
  });
  // Many deployments end a stream so; it is no item of it.
  return events.at(-1)?.data === '[DONE]' ? events.slice(0, -1) : events;
}
