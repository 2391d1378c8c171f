/**
 * The MCP server of `sandbank mcp`. It has no login and listens on no port: it communicates over stdin and stdout
 * with the program that started it, and ends with that program.
 */
import {
  fromJsonSchema,
  type JsonSchemaType,
  type jsonSchemaValidator,
  McpServer,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { Ajv, type ErrorObject } from 'ajv';
import { packageVersion } from '../../bank/kernel/project.ts';
import type { Sandbank } from '../../kit/bank.ts';
import { explainFailure, isFailure } from '../bank.ts';
import { TOOLS, type Tool } from './tools.ts';

const INSTRUCTIONS =
  'A local bank for tests. Begin with find (no arguments) for the ids of the initial records. request sends one ' +
  'request; simulate and clock move it on. After a failed request of a program: requests, then explain with an id. "sandbank skill" prints how to write tests.';

/** The maximum length of an answer: long answers fill the context of the caller. */
const MAX_CHARACTERS = 12_000;

/** Replaces the library's own validator, which contains a second copy of ajv. */
const VALIDATOR: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType) {
    const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true, verbose: true });
    const check = ajv.compile(schema);
    return (input: unknown) =>
      check(input)
        ? { valid: true, data: input as T, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: (check.errors ?? []).map(problemOf).join('; ') };
  },
};

/** Names the argument and the allowed ones. */
function problemOf({ keyword, instancePath, params, message, parentSchema, data }: ErrorObject): string {
  const name = instancePath.slice(1).replaceAll('/', '.');
  if (keyword === 'additionalProperties') {
    const names = Object.keys((parentSchema as { properties?: object }).properties ?? {});
    return `there is no argument ${params.additionalProperty}; the arguments: ${names.join(', ')}`;
  }
  if (keyword === 'enum') {
    return `${name} must be one of ${params.allowedValues.join(', ')}; got ${JSON.stringify(data)}`;
  }
  return keyword === 'required' ? `${params.missingProperty} is required` : `${name} ${message}`;
}

/** Serves the tools until stdin ends. `bank` connects again for each call. */
export async function serveTools(bank: () => Sandbank): Promise<void> {
  const transport = new StdioServerTransport();
  const handle = serveStdio(() => serverOf(bank), { transport });
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });
  await handle.close();
}

function serverOf(bank: () => Sandbank): McpServer {
  const server = new McpServer(
    { name: 'sandbank', version: packageVersion() },
    { instructions: INSTRUCTIONS, capabilities: { tools: {} } },
  );
  for (const tool of TOOLS) addTool(server, tool, bank);
  return server;
}

function addTool(
  server: McpServer,
  { name, description, isReading, input, run }: Tool,
  bank: () => Sandbank,
): void {
  const inputSchema = fromJsonSchema<Record<string, unknown>>(input as JsonSchemaType, VALIDATOR);
  const annotations = { readOnlyHint: isReading };
  server.registerTool(name, { description, inputSchema, annotations }, async (args) => {
    try {
      return { content: [{ type: 'text', text: cut(await run(bank(), args)) }] };
    } catch (error) {
      if (!isFailure(error)) throw error;
      return { isError: true, content: [{ type: 'text', text: explainFailure(error) }] };
    }
  });
}

function cut(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  return `${text.slice(0, MAX_CHARACTERS)}\n[${text.length - MAX_CHARACTERS} more characters: request less]`;
}
