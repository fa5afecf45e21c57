import { toExcerpt } from '../../common/look/visible.ts';
import { findResource } from '../../openapi/model/api.ts';
import { planBodies } from '../cases/bodies.ts';
import { sendableBodyOf } from '../document/sendable-body.ts';
import { incomplete } from '../run/own-item.ts';
import { sentValue } from '../transcript/exchange.ts';
import { ownIdOf } from '../transcript/made.ts';
import { compileSent } from '../transcript/schema/validator.ts';
import { answeredFor, type Transcript } from '../transcript/transcript.ts';

/** Why no create gave an item of the run's own although the document allows the bodies sent. */
export function whyNothingCreated(transcript: Transcript): string[] {
  const { document } = transcript;
  const creates = Map.groupBy(answeredFor(transcript, 'create'), (one) => one.case.operation);
  return [...creates].flatMap(([operation, all]) => {
    const [first] = all;
    const isRefused = all.every(({ response }) => response.status >= 300);
    // An answer that shows no id is none of an item that could be proven.
    const isShown = all.every(({ made, response }) => response.status >= 300 || made?.id);
    const isProven = transcript.exchanges.some(
      (one) => one.case.operation === operation && (ownIdOf(one) ?? one.made?.isEchoed),
    );
    const { schema } = (operation && sendableBodyOf(operation)) ?? {};
    if (!operation || !first || !isShown || isProven || schema === undefined) return [];
    const findProblems = compileSent(document, schema);
    if (!all.some((one) => findProblems(sentValue(one)).length === 0)) return [];
    const said = toExcerpt(first.response.text, 120).trim();
    const resource = findResource(document, operation);
    const open = (resource ? planBodies(document, resource).properties : []).find(
      ({ required, made, schema }) =>
        required &&
        made === false &&
        schema.default === undefined &&
        compileSent(document, schema)(true).length === 0,
    );
    const isMissed = open && all.every(({ response: { status } }) => incomplete.includes(status));
    const hint = isMissed
      ? `; ${open.name} was sent as false: if it has to be true, give it "default: true" in the document or an overlay`
      : '';
    const answer = `${first.response.status}${said && `, ${said}`}${hint}`;
    const made = isRefused ? 'nothing' : "no item that is proven to be the run's own";
    return [`${operation.id} made ${made} of the bodies that the document allows (${answer})`];
  });
}
