import { authRows } from './broken/auth.ts';
import { createRows } from './broken/create.ts';
import { createValidationRows } from './broken/create-validation.ts';
import { errorShapeRows } from './broken/error-shape.ts';
import { intermittentRows } from './broken/intermittent.ts';
import { itemRows } from './broken/item.ts';
import { listRows } from './broken/list.ts';
import { rate429Rows } from './broken/rate-429.ts';
import { rateHeaderRows } from './broken/rate-headers.ts';
import { readRows } from './broken/read.ts';
import { rewrittenRows } from './broken/rewritten.ts';
import { statusRows } from './broken/statuses.ts';
import type { Row } from './row.ts';

/** Deployments that are each broken in one stated clause. */
export const broken: Row[] = [
  ...statusRows,
  ...authRows,
  ...errorShapeRows,
  ...rateHeaderRows,
  ...rate429Rows,
  ...listRows,
  ...itemRows,
  ...createRows,
  ...createValidationRows,
  ...readRows,
  ...intermittentRows,
  ...rewrittenRows,
];
