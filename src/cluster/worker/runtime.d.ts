/**
 * The types of the used parts of workerd's modules. The published types would replace those of Node, which all other
 * files need.
 */
declare module 'cloudflare:workers' {
  interface ObjectContext {
    readonly id: { readonly name?: string };
    readonly storage: import('./object-driver.ts').ObjectStorage & {
      setAlarm(at: number): Promise<void>;
      deleteAlarm(): Promise<void>;
      deleteAll(): Promise<void>;
    };
    blockConcurrencyWhile<T>(action: () => Promise<T>): Promise<T>;
  }
  export class DurableObject<Env = unknown> {
    constructor(ctx: ObjectContext, env: Env);
    protected readonly ctx: ObjectContext;
    protected readonly env: Env;
  }
  /** The bindings, which are available while the module starts. */
  export const env: Record<string, unknown>;
}
