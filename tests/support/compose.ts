import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { projectFile } from './twin.ts';

type ServiceName = 'balancer' | 'twin' | 'valkey' | 'verify';

type Service = Record<string, unknown> & {
  image?: string;
  depends_on?: Record<string, { condition: string; required?: boolean }>;
  profiles?: string[];
  volumes?: string[];
  ports?: string[];
  entrypoint?: string[];
  command?: string[];
  environment?: Record<string, string>;
};

/** The services of the compose file, with the defaults of its variables. */
export async function readCompose(): Promise<Record<ServiceName, Service>> {
  const file = (await $RefParser.parse(projectFile('docker-compose.yml'))) as unknown as {
    services: Record<ServiceName, Service>;
  };
  const text = JSON.stringify(file.services).replace(/\$\{\w+:-([^}]*)\}/g, '$1');
  return JSON.parse(text);
}
