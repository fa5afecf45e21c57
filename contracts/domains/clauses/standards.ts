/** Clauses of RFCs where the interface states nothing. */
export const standards = [
  {
    id: 'cname-alone',
    source: 'RFC 1034 §3.6.2',
    text: 'A name that has a CNAME record has no AAAA record.',
  },
] as const;
