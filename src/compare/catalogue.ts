/**
 * The available scenarios: those of the package in `fixtures/scenarios`, and those in a user's folder. The scenarios
 * in `given` prepare others and are not run alone.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFile } from '../bank/kernel/project.ts';
import { parseScenario, type Scenario, ScenarioError } from './scenario.ts';

export interface Catalogue {
  /** Every scenario by its name. */
  readonly all: ReadonlyMap<string, Scenario>;
  /** The scenarios to run, in order. */
  readonly runnable: readonly Scenario[];
}

const GIVEN = 'given';
/** The folders in order: scenarios that create few records come first. */
const FOLDERS = ['operations', 'lives'] as const;

/** Loads the scenarios of the package, and those of a user's folder. Throws `ScenarioError`. */
export function loadCatalogue(folder?: string): Catalogue {
  const own = fileURLToPath(projectFile('fixtures/scenarios'));
  const given = readScenarios(join(own, GIVEN));
  const runnable = FOLDERS.flatMap((name) => readScenarios(join(own, name)));
  const users = folder === undefined ? [] : readUsers(folder);
  const all = new Map([...given, ...runnable, ...users].map((scenario) => [scenario.name, scenario]));
  for (const scenario of all.values()) requireGiven(scenario, all);
  return { all, runnable: [...runnable, ...users] };
}

function readUsers(folder: string): Scenario[] {
  if (!existsSync(folder)) throw new ScenarioError(`there is no folder ${folder}`);
  const found = readScenarios(folder);
  if (found.length === 0) throw new ScenarioError(`${folder} has no scenario: a scenario is a .json file`);
  return found;
}

function readScenarios(folder: string): Scenario[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.toSorted().map((name) => readScenario(join(folder, name)));
}

function readScenario(file: string): Scenario {
  try {
    return parseScenario(JSON.parse(readFileSync(file, 'utf8')), file);
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new ScenarioError(`${file} is not a JSON document: ${error.message}`);
    throw error;
  }
}

function requireGiven({ name, given = [], own = [] }: Scenario, all: ReadonlyMap<string, Scenario>): void {
  const unknown = [...given, ...own].find((one) => !all.has(one));
  if (unknown !== undefined) {
    throw new ScenarioError(`the scenario ${name} requires ${unknown}, which does not exist`);
  }
}
