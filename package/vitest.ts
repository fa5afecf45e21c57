import { expect } from 'vitest';
import { builtInDocument } from '../common/built-in-document.ts';
import { once } from '../common/once-per.ts';
import { readToJudge } from '../contracts/document/read-document.ts';
import {
  createResponseJudge,
  type JudgeResponseOptions,
} from '../contracts/judging/judge-response.ts';
import { toResponseReport } from '../contracts/report/response.ts';
import { isGating } from '../contracts/report/summary.ts';
import type { FetchResponse } from '../contracts/transcript/observed-exchange.ts';
import type { operations } from './types.d.ts';

/** The id of an operation; another document has others. */
type OperationId = keyof operations | (string & Record<never, never>);

/**
 * How a response is judged. `strict` also fails on findings that break an RFC.
 */
export type KeepContractOptions = JudgeResponseOptions & { strict?: boolean };

declare global {
  // Vitest's own interface of matchers has other type parameters in each of its major versions.
  namespace Chai {
    interface Assertion {
      /**
       * Checks a response of `fetch` against the contract of an operation, with the checks of the
       * suite that a single response can break: `reliable-answers` (the status is one of the
       * operation's), `error-shape`, `error-status`, `media-type`, `body-schema`, `required-headers`,
       * `header-values`,
       * `page-size`, `filter`, `created-as-sent`, `read-back` (the item that was asked for), `unique-ids`,
       * `sunset-date`, `rate-limit-headers`, `rate-limit-form`, `rate-limit-reset`,
       * `rate-limit-plan`, `retry-after`, and with `strict` also `challenge`, `deprecation-form` and
       * `no-byte-order-mark`.
       *
       * The request is known from the URL of the response; `sent` has the rest, such as the body of
       * a create. The body of the response can still be read afterwards.
       */
      toKeepContract(operation: OperationId, options?: KeepContractOptions): Promise<void>;
    }
  }
}

/**
 * The matchers for `expect.extend` with another OpenAPI document; those of the Pet Store Service are
 * already there.
 */
export function createMatchers({
  spec = builtInDocument,
  allowRefs,
}: {
  spec?: string;
  allowRefs?: string;
} = {}) {
  const open = once(async () => createResponseJudge(await readToJudge({ spec, allowRefs })));
  return {
    async toKeepContract(
      received: unknown,
      operation: string,
      { strict = false, ...options }: KeepContractOptions = {},
    ) {
      const judgeResponse = await open();
      const judgement = await judgeResponse(received as FetchResponse, operation, options);
      return {
        pass: !judgement.findings.some((finding) => isGating(finding, { strict })),
        message: () => toResponseReport(judgement, { strict }),
      };
    },
  };
}

expect.extend(createMatchers());
