/**
 * The examples for Testcontainers in Python, Java and Go, without Docker and without the libraries, which the
 * registries here do not have: each is compiled and run with a replacement of the library that has the same names,
 * whose container is a bank of this machine. The example in TypeScript runs in test/package/docker.test.ts.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, type Running, startBank } from '../server/process/support.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/docker', import.meta.url));
const TIMEOUT_MS = 240_000;

let bank: Running;
beforeAll(async () => {
  bank = await startBank({ SANDBANK_RAILS: 'manual' });
}, TIMEOUT_MS);

/** A copy of an example with the files of the replacement library. */
function layOut(example: string, files: Readonly<Record<string, string>>): string {
  const folder = makeFolder();
  cpSync(join(EXAMPLES, example), folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function run(folder: string, command: string, ...words: string[]): string {
  const { port, hostname } = new URL(bank.url);
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    BANK_HOST: hostname,
    BANK_PORT: port,
    GOFLAGS: '-mod=mod',
    GOPROXY: 'off',
  };
  return execFileSync(command, words, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
}

const PYTHON = {
  'testcontainers/__init__.py': '',
  'testcontainers/core/__init__.py': '',
  'testcontainers/core/container.py': `import os


class DockerContainer:
    def __init__(self, image: str):
        assert image == "sandbank"
        self.env = {}

    def with_exposed_ports(self, *ports: int) -> "DockerContainer":
        assert ports == (4800,)
        return self

    def with_env(self, key: str, value: str) -> "DockerContainer":
        self.env[key] = value
        return self

    def __enter__(self) -> "DockerContainer":
        assert self.env["SANDBANK_RAILS"] == "manual"
        return self

    def __exit__(self, *_) -> None:
        pass

    def get_container_host_ip(self) -> str:
        return os.environ["BANK_HOST"]

    def get_exposed_port(self, port: int) -> str:
        return os.environ["BANK_PORT"]
`,
  'testcontainers/core/waiting_utils.py': `def wait_for_logs(container, predicate, timeout: float = 120) -> float:
    assert predicate == "listening"
    return 0.0
`,
};

const JAVA = {
  'org/testcontainers/containers/GenericContainer.java': `package org.testcontainers.containers;
import org.testcontainers.containers.wait.strategy.WaitStrategy;
import org.testcontainers.utility.DockerImageName;
public class GenericContainer<SELF extends GenericContainer<SELF>> implements AutoCloseable {
  public GenericContainer(DockerImageName image) {}
  @SuppressWarnings("unchecked") private SELF self() { return (SELF) this; }
  public SELF withExposedPorts(Integer... ports) { return self(); }
  public SELF withEnv(String key, String value) { return self(); }
  public SELF waitingFor(WaitStrategy strategy) { return self(); }
  public void start() {}
  public String getHost() { return System.getenv("BANK_HOST"); }
  public Integer getMappedPort(int port) { return Integer.valueOf(System.getenv("BANK_PORT")); }
  @Override public void close() {}
}
`,
  'org/testcontainers/containers/wait/strategy/WaitStrategy.java':
    'package org.testcontainers.containers.wait.strategy;\npublic interface WaitStrategy {}\n',
  'org/testcontainers/containers/wait/strategy/Wait.java': `package org.testcontainers.containers.wait.strategy;
public class Wait { public static WaitStrategy forHealthcheck() { return new WaitStrategy() {}; } }
`,
  'org/testcontainers/utility/DockerImageName.java': `package org.testcontainers.utility;
public final class DockerImageName { public static DockerImageName parse(String name) { return new DockerImageName(); } }
`,
  'payments/Main.java': `package payments;
class Main {
  public static void main(String[] words) throws Exception {
    new ContainerTest().aBankInAContainerListsItsAccounts();
    System.out.println("passed");
  }
}
`,
};
const JAVA_LIBRARIES = ['junit-jupiter-api', 'junit-platform-commons', 'opentest4j', 'apiguardian-api'].map(
  (name) => `/usr/share/java/${name}.jar`,
);

const GO = {
  'testcontainers/go.mod': 'module github.com/testcontainers/testcontainers-go\n\ngo 1.19\n',
  'testcontainers/container.go': `package testcontainers

import (
	"context"
	"os"

	"github.com/testcontainers/testcontainers-go/wait"
)

type ContainerRequest struct {
	Image        string
	ExposedPorts []string
	Env          map[string]string
	WaitingFor   wait.Strategy
}

type GenericContainerRequest struct {
	ContainerRequest
	Started bool
}

type Container interface {
	PortEndpoint(ctx context.Context, port, proto string) (string, error)
	Terminate(ctx context.Context) error
}

type local struct{}

func (local) PortEndpoint(_ context.Context, _, proto string) (string, error) {
	return proto + "://" + os.Getenv("BANK_HOST") + ":" + os.Getenv("BANK_PORT"), nil
}

func (local) Terminate(context.Context) error { return nil }

func GenericContainer(_ context.Context, _ GenericContainerRequest) (Container, error) {
	return local{}, nil
}
`,
  'testcontainers/wait/wait.go': `package wait

type Strategy interface{}

func ForHealthCheck() Strategy { return nil }
`,
};

describe('the example for Testcontainers', () => {
  it(
    'in Python lists the accounts of a bank',
    () => {
      const folder = layOut('python', PYTHON);
      expect(run(folder, '/usr/bin/python3', '-B', '-m', 'pytest', '-q', '-p', 'no:cacheprovider')).toContain(
        '1 passed',
      );
    },
    TIMEOUT_MS,
  );

  it(
    'in Java compiles, and lists the accounts of a bank',
    () => {
      expect(JAVA_LIBRARIES.filter((path) => !existsSync(path))).toEqual([]);
      const folder = layOut('java', JAVA);
      const classPath = [...JAVA_LIBRARIES, 'classes'].join(':');
      const files = ['ContainerTest.java', ...Object.keys(JAVA)];
      run(folder, 'javac', '--release', '17', '-cp', classPath, '-d', 'classes', ...files);
      expect(run(folder, 'java', '-cp', classPath, 'payments.Main')).toBe('passed\n');
    },
    TIMEOUT_MS,
  );

  it(
    'in Go is formatted, and lists the accounts of a bank',
    () => {
      const folder = layOut('go', GO);
      expect(run(folder, 'gofmt', '-l', 'container_test.go')).toBe('');
      run(
        folder,
        'go',
        'mod',
        'edit',
        '-replace',
        'github.com/testcontainers/testcontainers-go=./testcontainers',
      );
      expect(run(folder, 'go', 'test', '-vet=all', '.')).toMatch(/^ok/);
    },
    TIMEOUT_MS,
  );

  it('says in each language that it requires Docker and the image', () => {
    for (const file of [
      'python/test_container.py',
      'java/ContainerTest.java',
      'go/container_test.go',
      'testcontainers.test.ts',
    ]) {
      expect(readFileSync(join(EXAMPLES, file), 'utf8'), file).toMatch(/Docker|Build the image first/);
    }
  });
});
