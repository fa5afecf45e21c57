import { addressesBeside } from './collections/addresses.ts';
import { receiptOf } from './collections/id-property.ts';
import { findWrappedItem } from './collections/item-form.ts';
import { keepEffective } from './collections/keep-effective.ts';
import { findPageFields } from './collections/list-form.ts';
import { findList, findListRules } from './collections/list-rules.ts';
import { setsItem, takesWhole } from './collections/operations-on.ts';
import {
  allTypesOf,
  isNullable,
  objectAlternative,
  shareType,
  valueFormAt,
} from './collections/schema-types.ts';
import { toScopes } from './collections/scopes.ts';
import {
  answeredItems,
  bodyItemsOf,
  bodySchemaOf,
  findWrappedBody,
  itemOf,
  itemsOf,
} from './collections/success.ts';
import { findTimestamps, timeFormOf } from './collections/timestamps.ts';
import { jsonContentOf } from './content.ts';
import { describedAt } from './described-at.ts';
import {
  createFindUnasked,
  describeSchema,
  describeSent,
  describeShown,
  isMarked,
  showsWriteOnly,
  uniquePropertiesOf,
} from './marks.ts';
import { findOpenLists } from './open-lists.ts';
import { linksOf, mentions, namesMediaType } from './operation-node.ts';
import { passwordNamesOf } from './password-names.ts';
import { flatten, follow, hasAlternatives, type RawDocument, resolve } from './schema.ts';
import { schemaOfExamples } from './schema-of-examples.ts';
import { makesCalls, serviceCallsOf, webhooksOf } from './webhooks.ts';
import { rootNameOf, xmlFormOf } from './xml-form.ts';

/** Questions about the schemas of a document and of its operations. */
const questions = {
  addressesBeside,
  allTypesOf,
  answeredItems,
  bodyItemsOf,
  bodySchemaOf,
  createFindUnasked,
  describedAt,
  describeSchema,
  describeSent,
  describeShown,
  findList,
  findListRules,
  findPageFields,
  findOpenLists,
  findTimestamps,
  findWrappedBody,
  findWrappedItem,
  flatten,
  follow,
  hasAlternatives,
  isMarked,
  isNullable,
  itemOf,
  itemsOf,
  jsonContentOf,
  keepEffective,
  linksOf,
  makesCalls,
  mentions,
  namesMediaType,
  objectAlternative,
  passwordNamesOf,
  receiptOf,
  resolve,
  rootNameOf,
  schemaOfExamples,
  serviceCallsOf,
  setsItem,
  shareType,
  showsWriteOnly,
  takesWhole,
  timeFormOf,
  toScopes,
  uniquePropertiesOf,
  valueFormAt,
  webhooksOf,
  xmlFormOf,
};

type Questions = typeof questions;

/** The questions, bound to the schemas of one document. */
export type Schemas = {
  readonly [Name in keyof Questions]: Questions[Name] extends (
    raw: RawDocument,
    ...rest: infer Rest
  ) => infer Answer
    ? (...rest: Rest) => Answer
    : never;
};

/** Binds the questions to one document. */
export function createSchemas(raw: RawDocument): Schemas {
  const bound = Object.entries(questions).map(([name, ask]) => [
    name,
    (...rest: unknown[]) => (ask as (...all: unknown[]) => unknown)(raw, ...rest),
  ]);
  return Object.fromEntries(bound);
}
