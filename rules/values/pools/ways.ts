import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../../syntax/node.ts';
import { isClass, isFunction } from '../../syntax/node.ts';
import { findAncestor, keyName, parentOf, type SourceFile } from '../../syntax/source-file.ts';
import { nodeAt } from '../apart.ts';
import type { Resolver } from '../resolver.ts';
import { importedWays } from './imported-ways.ts';
import {
  isNew,
  isWritten,
  lose,
  noWays,
  type Start,
  type Trace,
  type Way,
  type Ways,
} from './way.ts';
import {
  bind,
  exportAs,
  followVariable,
  given,
  intoField,
  intoMember,
  intoSubclass,
  intoTyped,
} from './ways-into.ts';
import { enter, throughCall, throughMember } from './ways-through.ts';

/** What one file does with a pool that it makes, gets or imports. */
export function waysFrom(start: Start, file: SourceFile, resolver: Resolver): Ways {
  const trace: Trace = {
    file,
    resolver,
    found: noWays(),
    seen: new Set(),
    within: 'within' in start && start.within ? nodeAt(start.within, file) : undefined,
    isOfRequest: start.kind === 'value' && start.isOfRequest === true,
    isForLife: start.kind === 'given' ? start.isForLife === true : 'within' in start,
    held: 0,
    follow: (node, way) => follow(trace, node, way),
  };
  switch (start.kind) {
    case 'value':
      follow(trace, nodeAt(start.at, file), start.way);
      break;
    case 'field':
      ofObject(trace, start.way);
      break;
    case 'given':
      enter(trace, nodeAt(start.to, file), start.index, start.way);
      break;
    case 'module':
      importedWays(start.of, start.way, file, resolver, {
        variable: (variable, way) => followVariable(trace, variable, way),
        value: (node, way) => follow(trace, node, way),
        exported: (way) => trace.found.exported.push(way),
      });
  }
  return trace.found;
}

function ofObject(trace: Trace, [name, ...way]: Way): void {
  if (name === undefined || trace.within === undefined || !isClass(trace.within)) return;
  intoField(trace, { owner: trace.within, name, isStatic: false, access: undefined }, way);
}

type Step = (trace: Trace, up: never, node: Node, way: Way) => void;

/** What the code around a value does with it, by the node around; what is in no row is unknown. */
const steps: Readonly<Record<string, Step>> = {
  MemberExpression(trace, up: TSESTree.MemberExpression, node, way) {
    if (up.object === node && !isWritten(up)) throughMember(trace, up, way);
  },
  CallExpression: throughCall,
  NewExpression: throughCall,
  Property(trace, up: TSESTree.Property, node, way) {
    const name = keyName(up.key, up.computed);
    if (up.value !== node || up.parent.type !== 'ObjectExpression') return;
    if (name === undefined) lose(trace, way);
    else follow(trace, up.parent, [name, ...(up.kind === 'get' ? way.slice(1) : way)]);
  },
  SpreadElement(trace, up: TSESTree.SpreadElement, _node, way) {
    if (up.parent.type !== 'ObjectExpression') lose(trace, way);
    else if (way.length > 0) follow(trace, up.parent, way);
  },
  VariableDeclarator(trace, up: TSESTree.VariableDeclarator, node, way) {
    if (up.init === node) bind(trace, up.id, way);
  },
  AssignmentExpression(trace, up: TSESTree.AssignmentExpression, node, way) {
    if (up.right !== node) return;
    bind(trace, up.left, way);
    follow(trace, up, way);
  },
  AssignmentPattern(trace, up: TSESTree.AssignmentPattern, node, way) {
    if (up.right !== node) return;
    const outer = parentOf(up);
    bind(trace, outer?.type === 'TSParameterProperty' ? outer : up.left, way);
  },
  PropertyDefinition(trace, up: TSESTree.PropertyDefinition, node, way) {
    if (up.value === node) intoMember(trace, up, way);
  },
  MethodDefinition(trace, up: TSESTree.MethodDefinition, node, way) {
    if (up.value === node && up.kind !== 'constructor' && up.kind !== 'set')
      intoMember(trace, up, up.kind === 'get' ? way.slice(1) : way);
  },
  ReturnStatement(trace, up: TSESTree.ReturnStatement, _node, way) {
    const fn = findAncestor(up, isFunction);
    if (fn !== undefined) given(trace, fn, way);
  },
  ArrowFunctionExpression(trace, up: TSESTree.ArrowFunctionExpression, node, way) {
    if (up.body === node) given(trace, up, way);
  },
  ExportDefaultDeclaration(trace, _up, _node, way) {
    exportAs(trace, ['default', ...way]);
  },
  TSExportAssignment(trace, _up, _node, way) {
    exportAs(trace, way);
  },
  ExportSpecifier(trace, up: TSESTree.ExportSpecifier, node, way) {
    const name = keyName(up.exported, false);
    if (up.local === node && name !== undefined) exportAs(trace, [name, ...way]);
  },
  TSTypeReference: intoTyped,
  ClassDeclaration: intoSubclass,
  ClassExpression: intoSubclass,
};

/** What tests, prints or drops a value. */
const quiet =
  /^(?:TS.*|(?:Expression|If|While|DoWhile|Switch|Throw)Statement|SwitchCase|(?:Binary|Unary|Logical|Conditional|Sequence)Expression|TemplateLiteral|Program|BlockStatement|Export.*)$/u;

const transparent =
  /^(?:TSAsExpression|TSSatisfiesExpression|TSNonNullExpression|TSTypeAssertion|ChainExpression|AwaitExpression)$/u;

function follow(trace: Trace, node: Node, way: Way): void {
  const up = parentOf(node);
  if (up === undefined || !isNew(trace, node, node.type, way)) return;
  if (handsOn(up, node)) follow(trace, up, way);
  else if (Object.hasOwn(steps, up.type)) steps[up.type]?.(trace, up as never, node, way);
  else if (!quiet.test(up.type)) lose(trace, way);
}

function handsOn(up: Node, node: Node): boolean {
  switch (up.type) {
    case 'ConditionalExpression':
      return up.test !== node;
    case 'LogicalExpression':
      return up.operator !== '&&' || up.right === node;
    case 'SequenceExpression':
      return up.expressions.at(-1) === node;
    default:
      return transparent.test(up.type);
  }
}
