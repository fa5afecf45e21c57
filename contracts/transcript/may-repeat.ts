import { membersOf, parseJson } from '../json.ts';
import type { Answered } from './exchange.ts';
import { answeredFor, type Transcript } from './transcript.ts';

/**
 * Whether a create was refused that another run may have made before: its text is not of this run
 * alone, and the target refuses in these words what there is already.
 */
export function mayRepeat(transcript: Transcript, exchange: Answered): boolean {
  const { case: asked, request, response } = exchange;
  if (transcript.isTraffic || asked.operation?.kind !== 'create') return false;
  if (request.marker !== undefined || response.status < 400) return false;
  return response.status === 409 || refusalsOfRepeated(transcript).has(toRefusal(exchange));
}

const known = new WeakMap<Transcript, ReadonlySet<string>>();

/** How a body was refused that had been stored a moment before. */
function refusalsOfRepeated(transcript: Transcript): ReadonlySet<string> {
  const found = known.get(transcript) ?? readRefusals(transcript);
  known.set(transcript, found);
  return found;
}

function readRefusals(transcript: Transcript): ReadonlySet<string> {
  const sent = answeredFor(transcript, 'silence').filter(
    ({ case: { purpose } }) =>
      purpose.silence === 'repeated-create' && purpose.probe !== 'sent with another value',
  );
  const isStored = sent.some(({ response }) => response.status < 300);
  const refused = sent.filter(({ response }) => response.status >= 400);
  return new Set(isStored ? refused.map(toRefusal) : []);
}

/** The status and the text of a refusal, without the texts of the body that it repeats. */
function toRefusal({ request, response: { status, text } }: Answered): string {
  const sent = Object.values(membersOf(parseJson(String(request.body ?? ''))) ?? {});
  const repeated = sent.filter((value) => typeof value === 'string' && value.length > 1);
  const words = repeated.reduce<string>((rest, value) => rest.replaceAll(String(value), ''), text);
  return `${status} ${words}`;
}
