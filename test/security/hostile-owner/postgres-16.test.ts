import { describeHostileOwner } from './suite.ts';

describeHostileOwner(16);
