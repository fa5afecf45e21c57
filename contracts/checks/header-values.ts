import { toInstant } from '../../common/instant.ts';
import type { Api, Schema } from '../../openapi/index.ts';
import { findIn } from '../../openapi/model/responses.ts';
import { type Check, called, shown } from '../clauses/check.ts';
import { anyOperation } from '../clauses/needs.ts';
import { readText } from '../document/text-values.ts';
import { headerValues as valuesOf } from '../transcript/exchange.ts';
import { compileSent } from '../transcript/schema/validator.ts';
import { answersOfOperations } from '../transcript/transcript.ts';

/** Headers whose values HTTP itself describes, whatever a document says of their form. */
const describedByHttp =
  /^(?:content-type|etag|expires|link|retry-after|set-cookie|www-authenticate)$/i;

/** A header of a response has a value of its schema, in the style that OpenAPI gives headers. */
export const headerValues: Check = {
  id: 'header-values',
  clause: {
    basis: 'described',
    source: anyOperation,
    text: 'A header of a response has a value of the schema that the document gives it.',
  },
  unheld: 'no response had a header whose schema is described',
  needs: 'a header of a response and no clauses',
  part: 'headers',
  judge(transcript, judge) {
    const { document } = transcript;
    for (const exchange of answersOfOperations(transcript)) {
      const { operation } = exchange.case;
      const { status } = exchange.response;
      const { headers = {} } = (operation && findIn(operation.responses, status)) ?? {};
      for (const [name, { schema, content }] of Object.entries(headers)) {
        if (content !== undefined || describedByHttp.test(name)) continue;
        const lines = valuesOf(exchange, name);
        const isList = [document.schemas.resolve(schema).type].flat().includes('array');
        for (const text of isList && lines.length > 0 ? [lines.join(', ')] : lines) {
          const value = readText(document, schema, text);
          if (value === undefined) continue;
          const [problem] = compileSent(document, schema)(value);
          judge.hold(problem === undefined || isOfHttp(document, schema, text), exchange, () => ({
            message: `${called(exchange)} answers ${status} with a header ${name} that breaks its schema`,
            expected: `${name}: ${problem?.expected.replace(/^the body: /, '')}`,
            actual: `${name}: ${shown(text)}`,
            group: name,
          }));
        }
      }
    }
  },
};

/**
 * Whether a time or a URL is written as HTTP writes it, whatever format the document names: a time as
 * in RFC 9110 §5.6.7, and a `Location` without a host (RFC 9110 §10.2.2).
 */
function isOfHttp(document: Api, schema: Schema, text: string): boolean {
  const { format = '' } = document.schemas.resolve(schema);
  if (format === 'date-time' || format === 'date') return !Number.isNaN(toInstant(text));
  return /^(?:uri|url|iri)$/.test(format) && URL.canParse(text, 'http://localhost');
}
