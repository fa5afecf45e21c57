import type { Check } from '../clauses/check.ts';
import { allowOn405 } from './allow-on-405.ts';
import { bodySchema } from './body-schema.ts';
import { challenge } from './challenge.ts';
import { createdAsSent } from './created-as-sent.ts';
import { defaults } from './defaults.ts';
import { deleted } from './deleted.ts';
import { deprecationForm } from './deprecation-form.ts';
import { describedStatus } from './described-status.ts';
import { errorShape } from './error-shape.ts';
import { errorStatus } from './error-status.ts';
import { filter } from './filter.ts';
import { headAsGet } from './head-as-get.ts';
import { headerValues } from './header-values.ts';
import { invalidBody } from './invalid-body.ts';
import { jsonPatch } from './json-patch.ts';
import { keyRequired } from './key-required.ts';
import { keysIsolated } from './keys-isolated.ts';
import { links } from './links.ts';
import { listedWhenCreated } from './listed-when-created.ts';
import { mediaType } from './media-type.ts';
import { mergePatch } from './merge-patch.ts';
import { nested } from './nested.ts';
import { noByteOrderMark } from './no-byte-order-mark.ts';
import { operationExists } from './operation-exists.ts';
import { pageSize } from './page-size.ts';
import { pages } from './pages.ts';
import { preconditions } from './preconditions.ts';
import { rateLimitConstant } from './rate-limit-constant.ts';
import { rateLimitCountdown } from './rate-limit-countdown.ts';
import { rateLimitForm } from './rate-limit-form.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { rateLimitPlan } from './rate-limit-plan.ts';
import { rateLimitRefusal } from './rate-limit-refusal.ts';
import { rateLimitReset } from './rate-limit-reset.ts';
import { readBack } from './read-back.ts';
import { readOnly } from './read-only.ts';
import { readsChangeNothing } from './reads-change-nothing.ts';
import { refusedLeavesNothing } from './refused-leaves-nothing.ts';
import { reliableAnswers } from './reliable-answers.ts';
import { replaced } from './replaced.ts';
import { requiredHeaders } from './required-headers.ts';
import { retryAfter } from './retry-after.ts';
import { retryWorks } from './retry-works.ts';
import { schemeCase } from './scheme-case.ts';
import { successStatus } from './success-status.ts';
import { sunsetDate } from './sunset-date.ts';
import { trueCounts } from './true-counts.ts';
import { uniqueIds } from './unique-ids.ts';
import { unknownId } from './unknown-id.ts';
import { updated } from './updated.ts';
import { webhookBody } from './webhook-body.ts';
import { webhookSignature } from './webhook-signature.ts';
import { writeOnly } from './write-only.ts';

/** Every check, in the order in which reports show them: what the interface states first. */
export const checks: readonly Check[] = [
  reliableAnswers,
  successStatus,
  operationExists,
  keyRequired,
  unknownId,
  invalidBody,
  errorShape,
  errorStatus,
  mediaType,
  bodySchema,
  pageSize,
  filter,
  createdAsSent,
  readBack,
  listedWhenCreated,
  uniqueIds,
  refusedLeavesNothing,
  readsChangeNothing,
  sunsetDate,
  rateLimitHeaders,
  rateLimitForm,
  rateLimitReset,
  rateLimitPlan,
  rateLimitConstant,
  rateLimitCountdown,
  rateLimitRefusal,
  retryAfter,
  retryWorks,
  keysIsolated,
  challenge,
  schemeCase,
  headAsGet,
  replaced,
  mergePatch,
  jsonPatch,
  updated,
  deleted,
  preconditions,
  defaults,
  trueCounts,
  pages,
  nested,
  writeOnly,
  readOnly,
  webhookBody,
  webhookSignature,
  allowOn405,
  deprecationForm,
  noByteOrderMark,
  describedStatus,
  requiredHeaders,
  headerValues,
  links,
];

/** Checks that judge a response alone, whatever was answered before it. */
export const checksOfOneAnswer: readonly Check[] = [
  reliableAnswers,
  errorShape,
  errorStatus,
  mediaType,
  bodySchema,
  requiredHeaders,
  headerValues,
  pageSize,
  filter,
  createdAsSent,
  readBack,
  uniqueIds,
  sunsetDate,
  rateLimitHeaders,
  rateLimitForm,
  rateLimitReset,
  rateLimitPlan,
  retryAfter,
  challenge,
  deprecationForm,
  noByteOrderMark,
];
