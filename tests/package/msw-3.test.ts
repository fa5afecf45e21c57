// Alone in its process, as MSW replaces what sends requests.
import { setupServer } from 'msw/node';
import { testMsw } from './test-msw.ts';

testMsw(setupServer);
