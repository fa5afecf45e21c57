/** Exports the one function that compiles a document, and the types of what it returns. */

export type { DomainRules } from '../common/prose/domains.ts';
export type { Pin } from '../common/prose/pinned.ts';
export type { Section } from '../common/prose/sections.ts';
export type { PlanFigures, Silence } from '../common/prose/silences.ts';
export type { Lack } from './collections/candidate.ts';
export type { FoundPlace } from './collections/find-resources.ts';
export type { ValueForm } from './collections/schema-types.ts';
export type { Timestamp } from './collections/timestamps.ts';
export {
  compile,
  type DocumentHead,
  type ReadDocument,
  readDocument,
} from './compile.ts';
export type { DocumentedLimits, LimitRole } from './documented-limits.ts';
export type { Hint, SignatureHint } from './hint.ts';
export type { DescribeSchema } from './marks.ts';
export type { Api } from './model/api.ts';
export type { Content, Encoding } from './model/content.ts';
export type { KeyNames, KeyPlace } from './model/key-places.ts';
export type { Kind } from './model/kinds.ts';
export type {
  Comparison,
  Condition,
  LinkAs,
  ListField,
  ListForm,
  ListRole,
  ListRules,
  PageSize,
  Paging,
  ParameterEffect,
  SortKey,
} from './model/lists.ts';
export type {
  HeaderDescription,
  Operation,
  Parameter,
  Provenance,
  ResponseDescription,
  TimeForm,
} from './model/operation.ts';
export type {
  Address,
  EndpointMembers,
  HeldItem,
  Reference,
  Resource,
  Scope,
} from './model/resource.ts';
export type { FlowName, WaysIn } from './model/security.ts';
export type { Mark, UnaskedProperties } from './model/unasked.ts';
export type { DocumentWarning } from './model/warnings.ts';
export type { ResponseLink } from './operation-node.ts';
export type { AnswerRule, Count, Members, Refusal, Rules } from './rules.ts';
export type { FlatSchema, Schema } from './schema.ts';
export type { Schemas } from './schemas.ts';
export type { Item } from './values/generate.ts';
export type { MakeOptions } from './values/make-options.ts';
export type { ServiceCall } from './webhooks.ts';
