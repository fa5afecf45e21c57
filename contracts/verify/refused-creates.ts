import { sendableBodyOf } from '../description/sendable-body.ts';
import { toExcerpt } from '../look/visible.ts';
import { sentValue } from '../transcript/exchange.ts';
import { compileSent } from '../transcript/schema/validator.ts';
import { answeredFor, type Transcript } from '../transcript/transcript.ts';

/** Why creates made nothing although the document allows their bodies: each was refused as not valid. */
export function whyNothingCreated(transcript: Transcript): string[] {
  const { document } = transcript;
  const creates = Map.groupBy(answeredFor(transcript, 'create'), (one) => one.case.operation);
  return [...creates].flatMap(([operation, all]) => {
    const [first] = all;
    const isRefused = all.every(({ response: { status } }) => [400, 422].includes(status));
    const { schema } = (operation && sendableBodyOf(operation)) ?? {};
    if (!operation || !first || !isRefused || schema === undefined) return [];
    const findProblems = compileSent(document, schema);
    if (!all.some((one) => findProblems(sentValue(one)).length === 0)) return [];
    const said = toExcerpt(first.response.text, 120).trim();
    const answer = `${first.response.status}${said && `, ${said}`}`;
    return [`${operation.id} refused each body that the document allows (${answer})`];
  });
}
