import { DataTypes, Model, Sequelize } from 'sequelize';

class User extends Model {}
class Category extends Model {}

export function open(url) {
  const sequelize = new Sequelize(url, { logging: false, pool: { max: 1 } });
  User.init({ name: DataTypes.STRING }, { sequelize, tableName: 'users', timestamps: false });
  Category.init({ name: DataTypes.STRING }, { sequelize, timestamps: false });
  return {
    end: () => sequelize.close(),
    select: () => User.findAll({ where: { id: 1 } }), // table
    insert: () => User.create({ id: 1, name: 'x' }), // table
    update: () => User.update({ name: 'x' }, { where: { id: 1 } }), // table update remove
    remove: () => User.destroy({ where: { id: 1 } }), // table
    unnamed: () => Category.findByPk(1), // table
    query: () =>
      sequelize.query('SELECT name FROM users WHERE id = :id', { replacements: { id: 1 } }), // template
  };
}
