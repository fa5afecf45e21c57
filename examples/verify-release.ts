// Verifies staging before a release:
// STAGING_BASE_URL=https://host/v1 STAGING_KEY=KEY node examples/verify-release.ts
import { verify } from 'petstore-twin/verify';

const { STAGING_BASE_URL: url = '', STAGING_KEY: key = '' } = process.env;
const report = await verify({ target: { url, keys: [key] }, readOnly: true, probeLimits: false });

for (const { verdict, clause, message } of report.findings)
  console.log(`${verdict} (${clause.source}): ${message}`);
console.log(`The verdict on ${url} is ${report.verdict}.`);
process.exitCode = report.verdict === 'drift' ? 1 : 0;
