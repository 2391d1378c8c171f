/**
 * What makes an instance of workerd one of several that share their objects. The form of this part is experimental and may change
 * with each version of workerd, so no other file depends on it.
 */

/** Of the instances, beside the configuration of one. */
export interface Membership {
  /** The configuration of one instance (`deploy/cluster/instance.capnp`), as this file will find it. */
  readonly instance: string;
  /** `s3://bucket/prefix`, or `gs://`. */
  readonly bucket: string;
  /** A secret of the instances alone, of at least 32 characters. */
  readonly key: string;
}

/** A stop hands over the objects and then waits for its connections. Containers are killed after ten seconds. */
const STOP_TIMEOUT_MS = 8_000;

/** An instance that has not stopped by then does not stop by itself. */
export const STOP_DEADLINE_MS = STOP_TIMEOUT_MS + 4_000;

const text = (value: string): string => JSON.stringify(value);

/** The configuration as text. The address and the credentials of the bucket are variables of the process. */
export const memberConfig = ({ instance, bucket, key }: Membership): string => `# One of several instances.
using Workerd = import "/workerd/workerd.capnp";
using Instance = import ${text(instance)};

const config :Workerd.Config = (
  services = Instance.services,
  sockets = Instance.sockets,
  cluster = (
    bucket = ${text(bucket)},
    address = "127.0.0.1:0",
    key = ${text(key)},
    stopTimeoutMs = ${STOP_TIMEOUT_MS},
  ),
);
`;

/** Where the other instances reach this one. */
export interface PeerAddress {
  /** `host:port`; port 0 for a free one. */
  readonly listen: string;
  /** Their address for it, if it is another one. */
  readonly advertise?: string | undefined;
}

/** The arguments of workerd for one of several. */
export const memberWords = ({ listen, advertise }: PeerAddress): string[] => [
  '--experimental',
  `--cluster-addr=${listen}`,
  ...(advertise === undefined ? [] : [`--cluster-advertise=${advertise}`]),
];

/** The event by which workerd reports the port for other instances. */
export const PEER_EVENT = 'listen-cluster';

/** Answers 200 while the instance serves and holds its lease. */
export const readyUrl = (peer: string): string => `http://${peer}/ready`;
