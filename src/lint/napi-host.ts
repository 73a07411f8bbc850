/** Numbers by which the library knows a value of JavaScript, and places in its memory. */
type Handle = number;
type Address = number;
type Values = Record<string, unknown>;
type Host = Readonly<Record<string, (...args: number[]) => number>>;

interface Call {
  readonly self: unknown;
  readonly args: readonly unknown[];
  readonly data: Address;
}

/** What the library keeps of a value of its own, and how it frees that. */
interface Wrapped {
  readonly native: Address;
  readonly finalize: Address;
  readonly hint: Address;
}

/** A library that runs. */
export interface NativeLibrary {
  readonly exports: Readonly<Values>;
  /** Frees what the library keeps of a value that it made. */
  readonly free: (value: object) => void;
}

/** What the parts of the interface share. */
interface Room {
  readonly memory: WebAssembly.Memory;
  readonly values: ReturnType<typeof createValues>;
  readonly texts: ReturnType<typeof createTexts>;
  /** Runs a function of the library, by its place in the table. */
  readonly run: (place: Address, ...args: readonly number[]) => Handle;
}

const environment = 1;
const succeeded = 0;
const failed = 9;
const noCall: Call = { self: undefined, args: [], data: 0 };
const pages = { initial: 1_024, maximum: 65_536 };

/**
 * Starts a library that was compiled from Node's native interface to single-threaded WebAssembly. Of that interface and of WASI there is what
 * oxc's parser uses when it starts and when it parses. Not by emnapi, which needs `node:wasi`: Node prints a warning for that, and no browser has it. An exception of the machine, as of a full stack, leaves the library in the middle of its
 * work: who sees one starts another.
 */
export function startLibrary(module: WebAssembly.Module): NativeLibrary {
  const memory = new WebAssembly.Memory(pages);
  const values = createValues();
  const run: Room['run'] = (place, ...args) =>
    (table().get(place) as Room['run'])(environment, ...args);
  const room = { memory, values, texts: createTexts(memory), run };
  const host = { ...wasi(room), ...readsValues(room), ...makesValues(room), ...keepsValues(room) };
  const { exports } = new WebAssembly.Instance(module, importsFrom(host, module, memory));
  const table = (): WebAssembly.Table => exports['__indirect_function_table'] as WebAssembly.Table;
  const start = (name: string, ...args: readonly number[]) =>
    (exports[name] as (...args: readonly number[]) => Handle)(...args);
  start('_initialize');
  for (const name of Object.keys(exports)) if (name.startsWith('__napi_register__')) start(name);
  const found: Values = {};
  values.within(noCall, () => start('napi_register_wasm_v1', environment, values.add(found)));
  return {
    exports: found,
    free: (value) => {
      const { finalize, native, hint } = values.wrapped.get(value) as Wrapped;
      run(finalize, native, hint);
    },
  };
}

/** What is not there says that it failed. */
function importsFrom(host: Host, module: WebAssembly.Module, memory: WebAssembly.Memory) {
  const imports: Record<string, Record<string, unknown>> = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module))
    (imports[from] ??= {})[name] = kind === 'memory' ? memory : (host[name] ?? (() => failed));
  return imports;
}

/** The values that the library holds: those of a call until it ends, and references until they are deleted. */
function createValues() {
  const held: unknown[] = [undefined];
  const calls: Call[] = [];
  const references = new Map<number, unknown>();
  let lastReference = 0;
  let thrown: { readonly failure: unknown } | undefined;
  const takeThrown = () => {
    const taken = thrown;
    thrown = undefined;
    return taken;
  };
  return {
    references,
    wrapped: new WeakMap<object, Wrapped>(),
    add: (value: unknown): Handle => held.push(value) - 1,
    get: (handle: Handle): unknown => held[handle],
    refer: (value: unknown): number => {
      references.set(++lastReference, value);
      return lastReference;
    },
    callOf: (number: number): Call => calls[number] as Call,
    isThrowing: (): boolean => thrown !== undefined,
    throwLater: (failure: unknown): void => {
      thrown = { failure };
    },
    takeThrown,
    /** Gives what the library returns of a call, or throws what it throws. */
    within: (call: Call, run: (number: number) => Handle): unknown => {
      const [before, number] = [held.length, calls.push(call) - 1];
      try {
        const value = held[run(number)];
        const taken = takeThrown();
        if (taken !== undefined) throw taken.failure;
        return value;
      } finally {
        held.length = before;
        calls.length = number;
      }
    },
  };
}

const untilZero = 0xffff_ffff;

function createTexts(memory: WebAssembly.Memory) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const encoder = new TextEncoder();
  let last = { text: '', bytes: new Uint8Array() };
  return {
    read: (at: Address, length = untilZero): string => {
      const bytes = new Uint8Array(memory.buffer);
      const end = length >>> 0 === untilZero ? bytes.indexOf(0, at) : at + length;
      return decoder.decode(bytes.subarray(at, end));
    },
    /** The library asks for the length first, and then for the text. */
    encode: (text: string): Uint8Array => {
      if (last.text !== text) last = { text, bytes: encoder.encode(text) };
      return last.bytes;
    },
  };
}

function wasi({ memory }: Room): Host {
  return {
    random_get: (at, length) => {
      globalThis.crypto.getRandomValues(new Uint8Array(memory.buffer, at, length));
      return succeeded;
    },
    environ_sizes_get: (count, size) => {
      writeNumber(memory, count, 0);
      return writeNumber(memory, size, 0);
    },
    proc_exit: () => {
      throw new WebAssembly.RuntimeError('The library has ended.');
    },
  };
}

function writeNumber({ buffer }: WebAssembly.Memory, at: Address, number: number): number {
  new DataView(buffer).setUint32(at, number, true);
  return succeeded;
}

function writeFlag({ buffer }: WebAssembly.Memory, at: Address, flag: boolean): number {
  new DataView(buffer).setUint8(at, Number(flag));
  return succeeded;
}

function readNumbers({ buffer }: WebAssembly.Memory, at: Address, count: number): number[] {
  return [...new Uint32Array(buffer, at, count)];
}

/** By the number of each in Node's interface. */
const types: readonly string[] = [
  'undefined',
  'null',
  'boolean',
  'number',
  'string',
  'symbol',
  'object',
  'function',
];

function readsValues({ memory, values, texts }: Room): Host {
  const { get, add } = values;
  const answer = (at: Address, value: unknown) => writeNumber(memory, at, add(value));
  const field = (of: Handle, name: unknown) => (get(of) as Values)[String(name)];
  return {
    napi_typeof: (_, handle, at) => {
      const value = get(handle);
      return writeNumber(memory, at, types.indexOf(value === null ? 'null' : typeof value));
    },
    napi_get_value_bool: (_, value, at) => writeFlag(memory, at, get(value) === true),
    napi_get_value_string_utf8: (_, value, to, size, at) => {
      const bytes = texts.encode(String(get(value)));
      if (to === 0) return writeNumber(memory, at, bytes.length);
      const written = bytes.subarray(0, size - 1);
      new Uint8Array(memory.buffer).set(written, to);
      new Uint8Array(memory.buffer)[to + written.length] = 0;
      return writeNumber(memory, at, written.length);
    },
    napi_get_named_property: (_, of, name, at) => answer(at, field(of, texts.read(name))),
    napi_has_own_property: (_, of, name, at) =>
      writeFlag(memory, at, Object.hasOwn(get(of) as Values, String(get(name)))),
    napi_strict_equals: (_, one, other, at) => writeFlag(memory, at, get(one) === get(other)),
    napi_get_cb_info: (_, number, count, args, self, data) => {
      const call = values.callOf(number);
      const [wanted = 0] = count === 0 ? [] : readNumbers(memory, count, 1);
      for (let index = 0; index < wanted; index++) answer(args + 4 * index, call.args[index]);
      if (count !== 0) writeNumber(memory, count, call.args.length);
      if (self !== 0) answer(self, call.self);
      return data === 0 ? succeeded : writeNumber(memory, data, call.data);
    },
  };
}

function makesValues(room: Room): Host {
  const { memory, values, texts } = room;
  const { get, add } = values;
  const answer = (at: Address, value: unknown) => writeNumber(memory, at, add(value));
  const listAt = (at: Address, count: number) => readNumbers(memory, at, count).map(get);
  return {
    napi_get_null: (_, at) => answer(at, null),
    napi_get_global: (_, at) => answer(at, globalThis),
    napi_create_uint32: (_, value, at) => answer(at, value >>> 0),
    napi_create_string_utf8: (_, from, length, at) => answer(at, texts.read(from, length)),
    napi_create_object: (_, at) => answer(at, {}),
    napi_create_array_with_length: (_, _length, at) => answer(at, []),
    napi_create_error: (_, _code, message, at) => answer(at, new Error(String(get(message)))),
    napi_create_function: (_, _name, _length, place, data, at) =>
      answer(at, functionOf(room, place, data)),
    napi_define_class: (_, _name, _length, place, data, count, properties, at) => {
      const made = functionOf(room, place, data);
      defineProperties(room, made.prototype as object, properties, count);
      return answer(at, made);
    },
    napi_define_properties: (_, target, count, properties) =>
      defineProperties(room, get(target) as object, properties, count),
    napi_new_instance: (_, made, count, args, at) =>
      answer(at, Reflect.construct(get(made) as FunctionConstructor, listAt(args, count))),
    napi_call_function: (_, self, called, count, args, at) =>
      answer(at, Reflect.apply(get(called) as () => unknown, get(self), listAt(args, count))),
    napi_set_named_property: (_, of, name, value) => {
      (get(of) as Values)[texts.read(name)] = get(value);
      return succeeded;
    },
    napi_set_element: (_, of, index, value) => {
      (get(of) as unknown[])[index] = get(value);
      return succeeded;
    },
  };
}

function functionOf({ values, run }: Room, place: Address, data: Address) {
  return function (this: unknown, ...args: readonly unknown[]): unknown {
    return values.within({ self: this, args, data }, (number) => run(place, number));
  };
}

/** Name, name as a value, method, getter, setter, value, flags, data. */
type Property = [number, number, number, number, number, number, number, number];
const numbersOfProperty = 8;
const enumerable = 2;

function defineProperties(room: Room, target: object, at: Address, count: number): number {
  for (let index = 0; index < count; index++) {
    const numbers = readNumbers(room.memory, at + 4 * numbersOfProperty * index, numbersOfProperty);
    const [name, , method, getter, , value, flags, data] = numbers as Property;
    Object.defineProperty(target, room.texts.read(name), {
      configurable: true,
      enumerable: (flags & enumerable) !== 0,
      ...(getter !== 0
        ? { get: functionOf(room, getter, data) }
        : {
            writable: true,
            value: method === 0 ? room.values.get(value) : functionOf(room, method, data),
          }),
    });
  }
  return succeeded;
}

function keepsValues({ memory, values, texts }: Room): Host {
  const { get, add, refer, references, wrapped } = values;
  return {
    napi_wrap: (_, value, native, finalize, hint, at) => {
      wrapped.set(get(value) as object, { native, finalize, hint });
      return at === 0 ? succeeded : writeNumber(memory, at, refer(get(value)));
    },
    napi_unwrap: (_, value, at) =>
      writeNumber(memory, at, wrapped.get(get(value) as object)?.native ?? 0),
    napi_create_reference: (_, value, _count, at) => writeNumber(memory, at, refer(get(value))),
    napi_get_reference_value: (_, reference, at) =>
      writeNumber(memory, at, add(references.get(reference))),
    napi_delete_reference: (_, reference) => {
      references.delete(reference);
      return succeeded;
    },
    napi_is_exception_pending: (_, at) => writeFlag(memory, at, values.isThrowing()),
    napi_get_and_clear_last_exception: (_, at) =>
      writeNumber(memory, at, add(values.takeThrown()?.failure)),
    napi_throw: (_, failure) => {
      values.throwLater(get(failure));
      return succeeded;
    },
    napi_throw_error: (_, _code, message) => {
      values.throwLater(new Error(texts.read(message)));
      return succeeded;
    },
    napi_add_env_cleanup_hook: () => succeeded,
    // Threads would end their use of values through this one; there are none.
    napi_create_threadsafe_function: (...args) =>
      writeNumber(memory, args.at(-1) as Address, refer(undefined)),
    napi_unref_threadsafe_function: () => succeeded,
  };
}
