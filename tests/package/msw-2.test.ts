import { setupServer } from 'msw-2/node';
import { vi } from 'vitest';
import { testMsw } from './test-msw.ts';

vi.mock('msw', () => import('msw-2'));

testMsw(setupServer);
