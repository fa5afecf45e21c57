import { type BodyPlan, planBodies, toBodyText, validFields } from './bodies.ts';
import type { Fields } from './body-parts.ts';
import type { Case, DescribedResource } from './case.ts';
import { createCase } from './create-cases.ts';
import { freshValue } from './fresh-value.ts';
import { wrongBodiesFor, wrongValues } from './wrong-bodies.ts';

/** Bodies that break the schema in one place each. */
export function invalidCreateCases(described: DescribedResource): Case[] {
  const { create } = described.resource.operations;
  if (!create) return [];
  const plan = planBodies(described.document, described.resource);
  if (plan.parts.isOpen) return [];
  const status = firstEnum(plan);
  let number = 0;
  const build = (what: string, make: (marker: string) => string): Case => {
    number += 1;
    const marker = `invalid ${number} {{run}}`;
    return createCase(
      create,
      `invalid: ${what}`,
      make(marker),
      { kind: 'invalid-create', what },
      1,
      marker,
    );
  };
  const fields = (marker: string) => validFields(plan, marker, status);
  return [
    ...plan.properties
      // A form without a list may have an empty one.
      .filter(({ required, made }) => required && !(plan.form && typeof made === 'object'))
      .map(({ name }) =>
        build(`${name} missing`, (marker) =>
          toBodyText(
            plan,
            Object.fromEntries(Object.entries(fields(marker)).filter(([key]) => key !== name)),
          ),
        ),
      ),
    ...plan.properties.flatMap(({ name, schema }) =>
      wrongValues(schema, plan).map(([what, value]) =>
        build(`${name} ${what}`, (marker) =>
          toBodyText(plan, { ...fields(marker), ...markBeside(plan, name), [name]: value }),
        ),
      ),
    ),
    ...(plan.form ? [] : wrongBodiesFor(described.document, create)).map(({ what, make }) =>
      build(`body ${what}`, (marker) => make(toBodyText(plan, fields(marker)))),
    ),
  ];
}

/** Another text by which an item can be recognized, for a body whose own one is broken. */
function markBeside({ properties, markerProperty }: BodyPlan, broken: string): Fields {
  const beside = properties.find(
    ({ name, schema }) => name !== broken && schema.type === 'string' && freshValue(schema),
  );
  return broken === markerProperty && beside ? { [beside.name]: freshValue(beside.schema) } : {};
}

function firstEnum(plan: BodyPlan): Fields {
  const property = plan.properties.find(({ schema }) => Array.isArray(schema.enum));
  return property ? { [property.name]: (property.schema.enum as unknown[])[0] } : {};
}
