import type { TSESTree } from '@typescript-eslint/types';
import type { Chain } from '../syntax/chains.ts';
import type { FunctionNode, Node, CallNode } from '../syntax/node.ts';
import type { Body, Graph, Point, PointKind, Port, When } from './graph.ts';

/** How likely a node's own operation throws: never, hardly ever (a synchronous call), or so that a careful reader expects it (an await). */
export type Throws = 'no' | 'implicit-throw' | 'yes';

/** What the graph must know of the code's meaning; the analysis answers. */
export interface CallSemantics {
  throws(node: Node): Throws;
  /** True for a call that surely gives no promise: `logger.error(error)`. */
  givesValue(call: CallNode): boolean;
  /** True for calls like `process.exit()`, after which nothing runs. */
  neverReturns(call: CallNode): boolean;
  /** True for calls of a function that does nothing but throw. */
  alwaysThrows(call: CallNode): boolean;
  /** The callback that this call runs exactly once: `pool.connect((error, client, done) => …)`. */
  callbackOf(call: CallNode): FunctionNode | null;
  /** The calls in these statements whose callback comes so late that the order matters: all that stands after the call in them runs before. */
  runBehind(statements: readonly Node[]): readonly CallNode[];
  /** The function of `new Promise((resolve, reject) => …)`. */
  executorOf(made: TSESTree.NewExpression): FunctionNode | null;
  /** The function that a call calls once before it returns, and gives the result of: `storage.run(value, () => …)`. */
  immediateOf(call: CallNode): Immediate | null;
  /** The function that this expression is or names, when its body belongs into the graph. */
  functionOf(callee: Node): FunctionNode | null;
  /** The function of this file that a promise calls under this name when it fails: `work.catch(report)`. */
  handlerOf(name: Node): FunctionNode | null;
  /** How likely a function throws that is called under this name. */
  throwsAsHandler(name: Node): Throws;
  /** The child nodes of a node, in source order, types left out. */
  childrenOf(node: Node): readonly Node[];
}

export interface Immediate {
  readonly fn: FunctionNode;
  /** What the function is called with. */
  readonly given: readonly Node[];
}

/** What stands in expressions and is more than an expression: the bodies of functions and classes, and promise chains. */
export interface Inside {
  statements(b: Builder, statements: readonly Node[]): void;
  /** `value` leaves the function through `node`. */
  returned(b: Builder, node: Node, value: Node | null): void;
  chain(b: Builder, call: Chain): void;
}

/** Where a jump wants to go. */
export type Goal =
  | { readonly kind: 'throw' }
  | { readonly kind: 'return' }
  /** Out of the function as the rejection of what it returned: no `catch` in it sees that. */
  | { readonly kind: 'reject' }
  | { readonly kind: 'break' | 'continue'; readonly label: string | null };

/** What a jump meets on its way out, innermost last. */
export type Frame =
  | { readonly kind: 'catch'; readonly ports: Port[] }
  | { readonly kind: 'finally'; readonly build: () => void; readonly clones: Map<string, Point> }
  | {
      readonly kind: 'breakable';
      readonly labels: readonly string[];
      readonly takesPlainBreak: boolean;
      readonly breaks: Port[];
      readonly continueTo: Point | null;
    }
  | {
      readonly kind: 'function';
      readonly node: FunctionNode;
      readonly returns: Port[];
      readonly resultOf: Node | null;
      readonly settles: boolean;
      /** This body and those around it, from the inside out. */
      readonly bodies: readonly Body[];
    }
  /** A promise or callback (`node`) that nobody waits for: what it throws reaches no handler of the surrounding code, which goes on. */
  | { readonly kind: 'detached'; readonly node: Node; readonly onwards: Port[] };

/** Beyond this the graph is given up, and the function is unknown. */
const maximalPoints = 12_000;
/** So deep nothing is nested that somebody wrote. The stack takes far more, but code that is run at its very end may do worse than throw: V8 ends the process when it has no room to compile a regular expression. */
const maximalDepth = 800;

export class GraphTooLarge extends Error {}

/** Points and loose ends of a graph under construction, and the frames around the place being built. */
export class Builder {
  readonly points: Point[] = [];
  readonly inlined = new Set<Node>();
  /** Whose bodies are part of the graph. */
  readonly functions = new Set<Node>();
  readonly handlers = new Set<Node>();
  readonly unawaited = new Set<Node>();
  /** Calls whose callback is built after the statements around them. */
  readonly postponed = new Set<Node>();
  ports: Port[];
  frames: readonly Frame[] = [];
  /** The loose ends of `a?.b` where `a` is nullish, for each optional chain being built. */
  readonly shortCircuits: Port[][] = [];
  readonly semantics: CallSemantics;
  readonly inside: Inside;
  readonly root: Node;
  /** How deep the statement or expression that is being built stands in others. */
  #depth = 0;
  readonly #entry: Point;
  readonly #exits: Readonly<Record<'exit' | 'throw-exit', Point>>;

  constructor(semantics: CallSemantics, inside: Inside, root: FunctionNode | TSESTree.Program) {
    this.semantics = semantics;
    this.inside = inside;
    this.root = root;
    this.#entry = this.#create('entry', null, null);
    this.#exits = {
      exit: this.#create('exit', null, null),
      'throw-exit': this.#create('throw-exit', null, null),
    };
    this.ports = [{ from: this.#entry, when: 'next' }];
  }

  /** The bodies around the place being built, from the inside out. */
  get bodies(): readonly Body[] {
    return this.frames.findLast((frame) => frame.kind === 'function')?.bodies ?? [];
  }

  /** Links all loose ends to a new point, which becomes the only loose end. */
  append(kind: PointKind, node: Node | null, target: Node | null = null): Point {
    const point = this.#create(kind, node, target);
    this.link(this.ports, point);
    this.ports = [{ from: point, when: 'next' }];
    return point;
  }

  /** A point that nothing leads to yet. */
  junction(): Point {
    return this.#create('join', null, null);
  }

  /** Appends a point whose operation may throw. */
  appendThrowing(kind: PointKind, node: Node, throws: Throws, target: Node | null = null): Point {
    const point = this.append(kind, node, target);
    if (throws !== 'no')
      this.leave([{ from: point, when: throws === 'yes' ? 'throw' : 'implicit-throw' }], {
        kind: 'throw',
      });
    return point;
  }

  link(ports: readonly Port[], to: Point): void {
    for (const { from, when } of ports) {
      if (!from.edges.some((edge) => edge.to === to && edge.when === when))
        from.edges.push({ to, when });
    }
  }

  /** Turns the loose ends, all from one just appended point, into loose ends of that outcome. */
  portsWhen(when: When): Port[] {
    return this.ports.map(({ from, when: before }) => ({
      from,
      when: before === 'next' ? when : before,
    }));
  }

  /** Builds what stands in the statement or expression that is being built. */
  nested<Built>(build: (b: Builder, node: Node) => Built, node: Node): Built {
    if (this.#depth >= maximalDepth) throw new GraphTooLarge();
    this.#depth++;
    const built = build(this, node);
    this.#depth--;
    return built;
  }

  /** Builds with one more frame around. */
  within(frame: Frame, build: () => void): void {
    const outer = this.frames;
    this.frames = [...outer, frame];
    build();
    this.frames = outer;
  }

  /** Builds what nobody waits for; the code around goes on behind it, however it ends. */
  detached(node: Node, build: () => void): void {
    this.unawaited.add(node);
    const frame: Frame = { kind: 'detached', node, onwards: [] };
    this.within(frame, build);
    this.ports = [...this.ports, ...frame.onwards];
  }

  /** Sends loose ends outwards to their goal, through every `finally` on the way. */
  leave(ports: readonly Port[], goal: Goal): void {
    let moving = ports;
    let heading = goal;
    for (let index = this.frames.length - 1; index >= 0 && moving.length > 0; index--) {
      const frame = this.frames[index];
      if (frame?.kind === 'function' && heading.kind === 'reject') heading = { kind: 'throw' };
      if (frame === undefined || this.#arrive(frame, moving, heading)) return;
      if (frame.kind === 'finally') moving = this.#throughFinally(frame, index, moving, heading);
    }
    this.link(moving, this.#exitFor(heading));
  }

  /** The current loose ends jump; what follows in the source is not reached from here. */
  jump(goal: Goal): void {
    const ports = this.ports;
    this.ports = [];
    this.leave(ports, goal);
  }

  finish(root: FunctionNode | TSESTree.Program): Graph {
    this.link(this.ports, this.#exits.exit);
    return {
      root,
      entry: this.#entry,
      points: this.points,
      inlined: this.inlined,
      bodies: this.functions,
      handlers: this.handlers,
      detached: this.unawaited,
      postponed: new Set(
        this.points.flatMap(({ kind, node }) => (kind === 'due' && node !== null ? node : [])),
      ),
    };
  }

  #create(kind: PointKind, node: Node | null, target: Node | null): Point {
    if (this.points.length >= maximalPoints) throw new GraphTooLarge();
    const { bodies } = this;
    const point: Point = { id: this.points.length, kind, node, target, bodies, edges: [] };
    this.points.push(point);
    return point;
  }

  /** True when the jump ends at this frame. */
  #arrive(frame: Frame, ports: readonly Port[], goal: Goal): boolean {
    if (!accepts(frame, goal)) return false;
    if (frame.kind === 'catch') frame.ports.push(...ports);
    else if (frame.kind === 'function') frame.returns.push(...ports);
    else if (frame.kind === 'detached') this.#leaveUnhandled(ports, frame);
    else if (frame.kind === 'breakable' && goal.kind === 'break') frame.breaks.push(...ports);
    else if (frame.kind === 'breakable' && frame.continueTo !== null)
      this.link(ports, frame.continueTo);
    return true;
  }

  #leaveUnhandled(ports: readonly Port[], { node, onwards }: Frame & { kind: 'detached' }): void {
    const point = this.#create('unhandled', node, null);
    this.link(ports, point);
    this.link([{ from: point, when: 'throw' }], this.#exitFor({ kind: 'throw' }));
    onwards.push({ from: point, when: 'next' });
  }

  /** Each way of leaving has a copy of the finalizer of its own, so that "leaves by exception" and "leaves by return" stay apart behind it. */
  #throughFinally(
    frame: Frame & { kind: 'finally' },
    index: number,
    ports: readonly Port[],
    goal: Goal,
  ): readonly Port[] {
    const key = 'label' in goal ? `${goal.kind} ${goal.label ?? ''}` : goal.kind;
    const known = frame.clones.get(key);
    if (known !== undefined) {
      this.link(ports, known);
      return [];
    }
    const saved = { frames: this.frames, ports: this.ports };
    this.ports = [...ports];
    this.frames = this.frames.slice(0, index);
    frame.clones.set(key, this.append('join', null));
    frame.build();
    const out = this.ports;
    this.frames = saved.frames;
    this.ports = saved.ports;
    return out;
  }

  #exitFor(goal: Goal): Point {
    return this.#exits[goal.kind === 'throw' || goal.kind === 'reject' ? 'throw-exit' : 'exit'];
  }
}

function accepts(frame: Frame, goal: Goal): boolean {
  switch (goal.kind) {
    case 'throw':
      return frame.kind === 'catch' || frame.kind === 'detached';
    case 'return':
      return frame.kind === 'function';
    case 'reject':
      return false;
    case 'break':
      return (
        frame.kind === 'breakable' &&
        (goal.label === null ? frame.takesPlainBreak : frame.labels.includes(goal.label))
      );
    case 'continue':
      return (
        frame.kind === 'breakable' &&
        frame.continueTo !== null &&
        (goal.label === null || frame.labels.includes(goal.label))
      );
  }
}
