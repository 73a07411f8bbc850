// Run by npm before it packs the repository's own folder, whose package.json npm and editors read in different ways.
console.error(
  'This folder is not packed as it stands: `npm run package` packs what npm installs, `npm run package:extension` the extension, and `npm run release:check` all that is published.',
);
process.exit(1);
