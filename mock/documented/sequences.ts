/** Writes the items of a sequence, each as the JSON text of its value, in the form of a media type. */
export type WriteSequence = (items: readonly string[]) => string;

const byLine: WriteSequence = (items) => items.map((item) => `${item}\n`).join('');

/** A record separator begins each text (RFC 7464). */
const byRecord: WriteSequence = (items) => items.map((item) => `\x1e${item}\n`).join('');

const byEvent: WriteSequence = (items) => items.map(toEvent).join('');

/** How the sequences of a media type are written; undefined where it is no known one. */
export function writeSequenceOf(mediaType: string): WriteSequence | undefined {
  if (/^application\/(jsonl|x-jsonlines|x-ndjson|ndjson)$/.test(mediaType)) return byLine;
  if (/^application\/([^/]+\+)?json-seq$/.test(mediaType)) return byRecord;
  return mediaType === 'text/event-stream' ? byEvent : undefined;
}

const fields = ['event', 'id', 'retry', 'data'];

/** An event of the stream, a line for each of its fields and for each line of its data. */
function toEvent(item: string): string {
  const value: unknown = JSON.parse(item);
  const event = typeof value === 'object' && value !== null ? value : { data: value };
  const lines = fields.flatMap((name) => {
    const field: unknown = Reflect.get(event, name);
    if (field === undefined || field === null) return [];
    const text = typeof field === 'object' ? JSON.stringify(field) : String(field);
    return text.split(/\r\n|\r|\n/).map((line) => `${name}: ${line}\n`);
  });
  return `${lines.join('')}\n`;
}
