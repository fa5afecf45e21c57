import fc from 'fast-check';
import type { Fields } from '../cases/bodies.ts';
import { type BodyPlan, planBodies, toBodyText, validFields } from '../cases/bodies.ts';
import type { Case } from '../cases/case.ts';
import { createCase } from '../cases/create-cases.ts';
import { wrongValues } from '../cases/wrong-bodies.ts';
import type { ApiDocument, Resource } from '../description/document.ts';
import { membersOf } from '../json.ts';
import { type Answered, isAnswered, sentValue } from '../transcript/exchange.ts';
import { isSameText, itemIn } from '../transcript/items.ts';
import { wants } from './choices.ts';
import { callsLeft } from './keys/budget.ts';
import type { Session } from './session.ts';

const runs = 8;
const maxShrinks = 24;

/** The number of calls to leave for the rest of the run. */
const reserve = 60;

/**
 * Random bodies, valid and invalid, shrunk to the smallest that is answered wrongly. What came of
 * them is judged by the checks like any other case; the last failing one is the smallest.
 */
export async function tryProperties(
  session: Session,
  document: ApiDocument,
  seed: number,
): Promise<void> {
  for (const resource of document.resources) {
    const { create } = resource.operations;
    if (!create || !session.choice.isChosen(create)) continue;
    const plan = planBodies(document, resource);
    if (plan.markerProperty === undefined || plan.parts.isOpen) continue;
    if (wants(session.choice, 'create'))
      await tryProperty(session, resource, validBodies(plan), {
        seed,
        name: 'random',
        plan,
        markerProperty: plan.markerProperty,
        purpose: () => ({ kind: 'create', ...(plan.isGuessed && { mayRefuse: true }) }),
        isRight: (exchange) => echoes(plan, exchange),
      });
    // Most values that break a schema have no form.
    if (plan.form || !wants(session.choice, 'invalid-create')) continue;
    await tryProperty(session, resource, invalidBodies(plan), {
      seed,
      name: 'random invalid',
      plan,
      markerProperty: plan.markerProperty,
      purpose: (what) => ({ kind: 'invalid-create', what }),
      isRight: ({ response }) => response.status === 400,
    });
  }
}

type Body = { fields: Fields; what: string };
type Property = {
  seed: number;
  name: string;
  plan: BodyPlan;
  /** The property that is made unique by a number, so that the item can be recognized. */
  markerProperty: string;
  purpose: (what: string) => Case['purpose'];
  isRight: (exchange: Answered) => boolean;
};

async function tryProperty(
  session: Session,
  resource: Resource,
  bodies: fc.Arbitrary<Body>,
  property: Property,
): Promise<void> {
  let number = 0;
  const call = async ({ fields, what }: Body): Promise<boolean> => {
    number += 1;
    const id = `${property.name} ${number}`;
    const text = fields[property.markerProperty];
    const marker = typeof text === 'string' ? `${text} ${id}` : '';
    const numbered = marker === '' ? fields : { ...fields, [property.markerProperty]: marker };
    const affordable = callsLeft(session.keys.bulk) > reserve;
    if (number > runs + maxShrinks || !affordable || session.stopped()) return true;
    const create = resource.operations.create as NonNullable<Resource['operations']['create']>;
    const exchange = await session.call(
      createCase(
        create,
        id,
        toBodyText(property.plan, numbered),
        property.purpose(what),
        3,
        marker,
      ),
    );
    if (!exchange || !isAnswered(exchange) || exchange.response.status === 429) return true;
    return property.isRight(exchange);
  };
  await fc.check(fc.asyncProperty(bodies, call), { seed: property.seed, numRuns: runs });
}

function echoes({ parts: { wrapper }, form }: BodyPlan, exchange: Answered): boolean {
  const got = itemIn(exchange);
  const sent = membersOf(sentValue(exchange));
  const fields = wrapper ? membersOf(sent?.[wrapper.property]) : sent;
  const isReturned = form ? isSameText : Object.is;
  return (
    exchange.response.status < 300 &&
    Object.entries(fields ?? {}).every(
      ([name, value]) => isReturned(got?.[name], value) || typeof value === 'object',
    )
  );
}

/** Texts without control characters, so that a deployment has no reason to refuse them. */
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((value) => /^[^\p{C}\s][^\p{C}]*$/u.test(value) && !/\s$/.test(value));

function validBodies(plan: BodyPlan): fc.Arbitrary<Body> {
  const optional = plan.properties.filter(
    ({ required, schema }) => !required && Array.isArray(schema.enum),
  );
  const extras = optional.map(({ name, schema }) =>
    fc
      .option(fc.constantFrom(...(schema.enum as unknown[])), { nil: undefined })
      .map((value) => [name, value] as const),
  );
  return fc.tuple(text, ...extras).map(([marker, ...pairs]) => ({
    fields: validFields(
      plan,
      withRun(marker),
      Object.fromEntries(pairs.filter(([, value]) => value !== undefined)),
    ),
    what: 'random',
  }));
}

function invalidBodies(plan: BodyPlan): fc.Arbitrary<Body> {
  const breaks = plan.properties.flatMap(({ name, schema, required }) => [
    ...(required ? [{ name, what: `${name} missing`, remove: true as const }] : []),
    ...wrongValues(schema, plan).map(([what, value]) => ({ name, what: `${name} ${what}`, value })),
  ]);
  return fc.tuple(text, fc.constantFrom(...breaks)).map(([marker, broken]) => {
    const fields: Record<string, unknown> = { ...validFields(plan, withRun(marker)) };
    if ('remove' in broken) delete fields[broken.name];
    else fields[broken.name] = broken.value;
    return { fields, what: broken.what };
  });
}

function withRun(value: string): string {
  return `${value.replaceAll('{{', '{ {')} {{run}}`;
}
