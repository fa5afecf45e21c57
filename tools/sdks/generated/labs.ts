/** An SDK that Stainless generates, with the tests that come with it, and the document of both. */
export type GeneratedLab = {
  name: string;
  service: string;
  /** The package of PyPI, and its version, whose source distribution has the tests. */
  sdk: string;
  version: string;
  /** Names the file of the SDK's repository that is its document, or a script that contains it. */
  document: { repository: string; commit: string; file: string };
  /** The form in which the SDK writes arrays, which steady has to be told. */
  arrays: 'comma' | 'brackets';
};

const script = 'scripts/mock';

export const generatedLabs: readonly GeneratedLab[] = [
  {
    name: 'dodo-payments',
    service: 'Dodo Payments',
    sdk: 'dodopayments',
    version: '1.111.0',
    document: {
      repository: 'dodopayments/dodopayments-python',
      commit: 'aa03052ebe0b08815196fff47601b58f7176c1a8',
      file: script,
    },
    arrays: 'comma',
  },
  {
    name: 'modern-treasury',
    service: 'Modern Treasury',
    sdk: 'modern-treasury',
    version: '1.79.0',
    document: {
      repository: 'Modern-Treasury/modern-treasury-python',
      commit: '431f2835ce3509fa8795927700aa1608bae44882',
      file: script,
    },
    arrays: 'brackets',
  },
  {
    name: 'openai',
    service: 'OpenAI',
    sdk: 'openai',
    version: '3.3.1',
    document: {
      repository: 'openai/openai-python',
      commit: '753ab5c1a81cd85e8bf0aef4c04c51a2e8dae6cd',
      file: 'api_reference/openapi.transformed.yml',
    },
    arrays: 'brackets',
  },
];
