import ts from 'typescript';

/** The place in a configuration where one more entry can stand, and the module system that it is written in. */
export interface ConfigList {
  readonly entries: ts.NodeArray<ts.Expression>;
  /** The statement that exports it. */
  readonly takes: 'import' | 'require' | 'import require';
}

/**
 * The list that a flat configuration exports, when it is one that every reader would understand:
 * an array, or the arguments of `defineConfig` (eslint/config) or of `config` (typescript-eslint), written where it is exported or in a constant.
 * Undefined for anything else: functions, promises, `concat`, composers.
 */
export function findConfigList(file: ts.SourceFile): ConfigList | undefined {
  const found = file.statements.flatMap((statement) => exportedBy(statement) ?? []);
  const [only, more] = found;
  if (only === undefined || more !== undefined) return undefined;
  const entries = entriesOf(only.expression, file);
  return entries === undefined ? undefined : { entries, takes: only.takes };
}

interface Exported {
  readonly expression: ts.Expression;
  readonly takes: ConfigList['takes'];
}

function exportedBy(statement: ts.Statement): Exported | undefined {
  if (ts.isExportAssignment(statement))
    return {
      expression: statement.expression,
      takes: statement.isExportEquals === true ? 'import require' : 'import',
    };
  if (!ts.isExpressionStatement(statement) || !ts.isBinaryExpression(statement.expression))
    return undefined;
  const { left, operatorToken, right } = statement.expression;
  const isExport =
    operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isPropertyAccessExpression(left) &&
    ts.isIdentifier(left.expression) &&
    left.expression.text === 'module' &&
    left.name.text === 'exports';
  return isExport ? { expression: right, takes: 'require' } : undefined;
}

function entriesOf(
  written: ts.Expression,
  file: ts.SourceFile,
): ts.NodeArray<ts.Expression> | undefined {
  const bare = bareOf(written);
  const expression = ts.isIdentifier(bare) ? constantOf(bare.text, file) : bare;
  if (expression === undefined) return undefined;
  if (ts.isArrayLiteralExpression(expression)) return expression.elements;
  return ts.isCallExpression(expression) && takesConfigs(expression.expression, file)
    ? entriesOfCall(expression)
    : undefined;
}

/** Without parentheses, `as`, `satisfies` and `!`. */
function bareOf(expression: ts.Expression): ts.Expression {
  const wraps =
    ts.isParenthesizedExpression(expression) ||
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isNonNullExpression(expression);
  return wraps ? bareOf(expression.expression) : expression;
}

/** The only argument may be the list itself; several are the list. */
function entriesOfCall({ arguments: given }: ts.CallExpression): ts.NodeArray<ts.Expression> {
  const [only] = given;
  const bare = only === undefined ? undefined : bareOf(only);
  return given.length === 1 && bare !== undefined && ts.isArrayLiteralExpression(bare)
    ? bare.elements
    : given;
}

/** What a constant at the top of the file was given. */
function constantOf(name: string, file: ts.SourceFile): ts.Expression | undefined {
  const declarations = file.statements.flatMap((statement) =>
    ts.isVariableStatement(statement) &&
    (statement.declarationList.flags & ts.NodeFlags.Const) !== 0
      ? [...statement.declarationList.declarations]
      : [],
  );
  const initializer = declarations.find(
    (each) => ts.isIdentifier(each.name) && each.name.text === name,
  )?.initializer;
  return initializer === undefined ? undefined : bareOf(initializer);
}

/** The functions that take configurations as their arguments, by the module they come from. */
const makers: Readonly<Record<string, string>> = {
  'eslint/config': 'defineConfig',
  'typescript-eslint': 'config',
};

function takesConfigs(callee: ts.Expression, file: ts.SourceFile): boolean {
  const origins = originsOf(file);
  if (ts.isIdentifier(callee)) {
    const origin = origins.get(callee.text);
    return (
      origin !== undefined &&
      makers[origin.module] !== undefined &&
      makers[origin.module] === origin.name
    );
  }
  if (!ts.isPropertyAccessExpression(callee) || !ts.isIdentifier(callee.expression)) return false;
  const origin = origins.get(callee.expression.text);
  return (
    origin !== undefined && origin.name === undefined && makers[origin.module] === callee.name.text
  );
}

interface Origin {
  readonly module: string;
  /** Undefined for the whole module, or its default. */
  readonly name: string | undefined;
}

/** Local names that stand for something imported or required. */
function originsOf(file: ts.SourceFile): ReadonlyMap<string, Origin> {
  return new Map(
    file.statements.flatMap((statement): (readonly [string, Origin])[] => {
      if (ts.isImportDeclaration(statement)) return importedBy(statement);
      return ts.isVariableStatement(statement)
        ? statement.declarationList.declarations.flatMap(requiredBy)
        : [];
    }),
  );
}

function importedBy({
  importClause,
  moduleSpecifier,
}: ts.ImportDeclaration): (readonly [string, Origin])[] {
  if (importClause === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
  const module = moduleSpecifier.text;
  const { name, namedBindings } = importClause;
  const whole = [
    name,
    namedBindings !== undefined && ts.isNamespaceImport(namedBindings)
      ? namedBindings.name
      : undefined,
  ].flatMap((each) =>
    each === undefined ? [] : [[each.text, { module, name: undefined }] as const],
  );
  const parts =
    namedBindings !== undefined && ts.isNamedImports(namedBindings) ? namedBindings.elements : [];
  return [
    ...whole,
    ...parts.map(
      (part) => [part.name.text, { module, name: (part.propertyName ?? part.name).text }] as const,
    ),
  ];
}

function requiredBy({ name, initializer }: ts.VariableDeclaration): (readonly [string, Origin])[] {
  const module = initializer === undefined ? undefined : requiredModule(initializer);
  if (module === undefined) return [];
  if (ts.isIdentifier(name)) return [[name.text, { module, name: undefined }]];
  if (!ts.isObjectBindingPattern(name)) return [];
  return name.elements.flatMap((part) =>
    ts.isIdentifier(part.name)
      ? [
          [
            part.name.text,
            {
              module,
              name:
                part.propertyName !== undefined && ts.isIdentifier(part.propertyName)
                  ? part.propertyName.text
                  : part.name.text,
            },
          ] as const,
        ]
      : [],
  );
}

/** `require('x')` and `require('x').default`. */
export function requiredModule(expression: ts.Expression): string | undefined {
  const call =
    ts.isPropertyAccessExpression(expression) && expression.name.text === 'default'
      ? expression.expression
      : expression;
  if (
    !ts.isCallExpression(call) ||
    !ts.isIdentifier(call.expression) ||
    call.expression.text !== 'require'
  )
    return undefined;
  const [module] = call.arguments;
  return module !== undefined && ts.isStringLiteral(module) ? module.text : undefined;
}
